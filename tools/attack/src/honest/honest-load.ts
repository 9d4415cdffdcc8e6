import { percentile } from '@waggle/running';
import { type HonestClient, limited, type Operation } from './honest-client';

/** What an honest client has experienced in a phase of a run. */
export interface Experience {
  /** Operations that were finished, however they ended. */
  count: number;
  /** Refused with a time to come back. */
  limited: number;
  /** By what went wrong. */
  failed: Record<string, number>;
  /** Of those that succeeded, in milliseconds; undefined when there were none. */
  p50Ms: number | undefined;
  p99Ms: number | undefined;
}

/** Performs the operations of an honest client at an even rate, whatever the service does. */
export class HonestLoad {
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;
  readonly #running = new Set<Promise<void>>();
  #latenciesMs: number[] = [];
  #limited = 0;
  #failed = new Map<string, number>();

  constructor(private readonly client: HonestClient) {
    this.#timer = setInterval(() => {
      this.#begin();
    }, 1_000 / client.perSecond);
  }

  /** What was experienced since the last call. */
  takeExperience(): Experience {
    const latencies = this.#latenciesMs;
    const failed = Object.fromEntries(this.#failed);
    const failures = Object.values(failed).reduce((sum, count) => sum + count, 0);
    const experience = {
      count: latencies.length + this.#limited + failures,
      limited: this.#limited,
      failed,
      p50Ms: latencies.length === 0 ? undefined : percentile(latencies, 0.5),
      p99Ms: latencies.length === 0 ? undefined : percentile(latencies, 0.99),
    };
    this.#latenciesMs = [];
    this.#limited = 0;
    this.#failed = new Map();
    return experience;
  }

  /** Begins nothing more; resolves when what was begun is done. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  #begin(): void {
    const { operations } = this.client;
    const operation = operations[this.#turn % operations.length];
    this.#turn += 1;
    if (operation === undefined) return;
    const running = this.#perform(operation).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #perform({ name, run }: Operation): Promise<void> {
    const sinceMs = performance.now();
    const fault = await run().catch(nameOf);
    if (fault === undefined) this.#latenciesMs.push(performance.now() - sinceMs);
    else if (fault === limited) this.#limited += 1;
    else this.#failed.set(`${name}: ${fault}`, (this.#failed.get(`${name}: ${fault}`) ?? 0) + 1);
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an error';
  if (error.name === 'TimeoutError') return 'no response in time';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
