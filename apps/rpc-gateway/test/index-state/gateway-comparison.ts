import { setTimeout } from 'node:timers/promises';
import { until, type UntilOptions } from '@waggle/testing';
import { type GatewayUnderTest, type HttpResponse } from '../support/gateway-under-test';
import { type RandomCall, type RandomCalls } from './random-calls';

const concurrentCalls = 4;

/** The responses of one gateway, compared with the responses of the reference. */
export class ComparedResponses {
  /** The number of responses by `X-Gateway-Source`. */
  readonly sources = new Map<string, number>();
  /** The number of responses with a result, not an error. */
  results = 0;
  /** The number of differences that `X-Gateway-Index-Lag` announces: the response is from an index that lags. */
  announced = 0;
  /** Other differences, as text. */
  readonly unexplained: string[] = [];

  add(call: RandomCall, response: HttpResponse, expected: HttpResponse): void {
    const source = response.headers['x-gateway-source'] ?? 'none';
    this.sources.set(source, (this.sources.get(source) ?? 0) + 1);
    if (resultOf(response) !== undefined) this.results += 1;
    if (withoutErrorTime(response) === withoutErrorTime(expected)) return;
    if (source === 'index' && Number(response.headers['x-gateway-index-lag']) > 0) this.announced += 1;
    else this.unexplained.push(`${source}: ${JSON.stringify(call)}: ${response.text} instead of ${expected.text}`);
  }
}

export interface ComparisonOptions {
  /** The gateway with the right responses. */
  reference: GatewayUnderTest;
  /** The gateways whose responses are compared. */
  strict: GatewayUnderTest;
  tolerant: GatewayUnderTest;
  calls: RandomCalls;
  /** A pause after each call, so that the calls do not slow down what the test waits for. */
  pauseMs: number;
  wait: UntilOptions;
}

/** Makes random calls, several at once, until it is stopped. */
export class Comparison {
  readonly strict = new ComparedResponses();
  readonly tolerant = new ComparedResponses();
  private compared = 0;
  private isStopped = false;
  private readonly inFlight = new Set<Promise<void>>();
  private readonly workers: Promise<unknown>;

  private constructor(private readonly options: ComparisonOptions) {
    this.workers = Promise.all(Array.from({ length: concurrentCalls }, () => this.work()));
    // `stop` throws the error.
    this.workers.catch(() => undefined);
  }

  /** Makes calls as long as some work runs, and at least once. @throws what the work or a call throws */
  static async during(
    options: ComparisonOptions,
    work: (comparison: Comparison) => Promise<unknown>,
  ): Promise<Comparison> {
    const comparison = new Comparison(options);
    try {
      await work(comparison);
    } finally {
      await comparison.stop();
    }
    return comparison;
  }

  /** Waits until this many calls are compared since the start. */
  async untilCompared(count: number): Promise<void> {
    await until(() => this.compared >= count || this.isStopped, this.options.wait);
  }

  /** Waits until the calls that are in flight now are compared. */
  async untilInFlightCompared(): Promise<void> {
    await Promise.all(this.inFlight);
  }

  /** Makes no further calls. Resolves when the last ones are compared. */
  private async stop(): Promise<void> {
    this.isStopped = true;
    await this.workers;
  }

  private async work(): Promise<void> {
    try {
      while (!this.isStopped) {
        const comparing = this.compareOnce();
        this.inFlight.add(comparing);
        await comparing.finally(() => this.inFlight.delete(comparing));
        await setTimeout(this.options.pauseMs);
      }
    } finally {
      this.isStopped = true;
    }
  }

  private async compareOnce(): Promise<void> {
    const { reference, strict, tolerant, calls } = this.options;
    const call = calls.next();
    const [expected, ofStrict, ofTolerant] = await Promise.all([
      reference.call(call.method, call.params),
      strict.call(call.method, call.params),
      tolerant.call(call.method, call.params),
    ]);
    calls.remember(resultOf(expected));
    this.strict.add(call, ofStrict, expected);
    this.tolerant.add(call, ofTolerant, expected);
    this.compared += 1;
  }
}

/** Returns the text of a response without the time of its error, by the clock of the gateway that made it. */
function withoutErrorTime({ text }: HttpResponse): string {
  return text.replace(/("context":\{[^{}]*"timestamp":")[^"]*/g, '$1');
}

function resultOf({ json }: HttpResponse): unknown {
  return typeof json === 'object' && json !== null && 'result' in json ? json.result : undefined;
}
