import { percentile } from '@waggle/running';
import { limited } from '../traffic/http-client';
import { type HonestClient, type Operation } from './honest-client';

/** The results of an honest client in a phase of a run. */
export interface Experience {
  /** Operations that ended, whether or not they succeeded. */
  count: number;
  /** Operations rejected with a time to try again. */
  limited: number;
  /** Other failures, by operation and cause. */
  failed: Record<string, number>;
  /** Latency of those that succeeded; undefined if none did. */
  p50Ms: number | undefined;
  p99Ms: number | undefined;
}

/** Performs the operations of an honest client at an even rate, even if the service is slow. */
export class HonestLoad {
  private readonly timer: NodeJS.Timeout;
  private turn = 0;
  private readonly running = new Set<Promise<void>>();
  private latenciesMs: number[] = [];
  private limited = 0;
  private failed = new Map<string, number>();

  /** @param rate the share of the client's rate */
  constructor(
    private readonly client: HonestClient,
    rate: number,
  ) {
    this.timer = setInterval(
      () => {
        this.begin();
      },
      1_000 / (client.perSecond * rate),
    );
  }

  /** Returns the results since the last call. */
  takeExperience(): Experience {
    const latencies = this.latenciesMs;
    const failed = Object.fromEntries(this.failed);
    const failures = Object.values(failed).reduce((sum, count) => sum + count, 0);
    const experience = {
      count: latencies.length + this.limited + failures,
      limited: this.limited,
      failed,
      p50Ms: latencies.length === 0 ? undefined : percentile(latencies, 0.5),
      p99Ms: latencies.length === 0 ? undefined : percentile(latencies, 0.99),
    };
    this.latenciesMs = [];
    this.limited = 0;
    this.failed = new Map();
    return experience;
  }

  /** Starts no further operations; resolves when the running ones end. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.running);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private begin(): void {
    const { operations } = this.client;
    const operation = operations[this.turn % operations.length];
    this.turn += 1;
    if (operation === undefined) return;
    const running = this.perform(operation).finally(() => this.running.delete(running));
    this.running.add(running);
  }

  private async perform({ name, run }: Operation): Promise<void> {
    const sinceMs = performance.now();
    const failure = await run().catch(nameOf);
    if (failure === undefined) this.latenciesMs.push(performance.now() - sinceMs);
    else if (failure === limited) this.limited += 1;
    else this.failed.set(`${name}: ${failure}`, (this.failed.get(`${name}: ${failure}`) ?? 0) + 1);
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an error';
  if (error.name === 'TimeoutError') return 'no response in time';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
