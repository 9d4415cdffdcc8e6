import { Counter, Histogram, type Registry } from '@waggle/service';
import { type Answer } from '../rpc/answer';

interface Counted {
  readonly route: string;
  readonly cache: Answer['cache'];
  readonly outcome: Answer['outcome'];
  calls: number;
}

/** Counts and times calls by route: what callers name their methods would be labels without end. */
export class CallMetrics {
  /** Added up here and told when asked for: the registry looks its labels up anew each time. */
  private readonly counted = new Map<string, Counted>();
  private readonly seconds: Histogram<'route'>;

  constructor(registry: Registry) {
    const calls = new Counter({
      name: 'rpc_gateway_calls_total',
      help: 'Calls by route (none: refused before it had one), where the answer came from, and how it ended',
      labelNames: ['route', 'cache', 'outcome'],
      registers: [registry],
      collect: () => {
        calls.reset();
        for (const { calls: count, ...labels } of this.counted.values()) calls.inc(labels, count);
      },
    });
    this.seconds = new Histogram({
      name: 'rpc_gateway_call_duration_seconds',
      help: 'Duration of calls by route in seconds, without those whose answer was kept',
      labelNames: ['route'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30],
      registers: [registry],
    });
  }

  count(route: string, { cache, outcome }: Answer): void {
    const key = `${route} ${cache} ${outcome}`;
    const counted = this.counted.get(key);
    if (counted === undefined) this.counted.set(key, { route, cache, outcome, calls: 1 });
    else counted.calls += 1;
  }

  time(route: string, ms: number): void {
    this.seconds.observe({ route }, ms / 1_000);
  }
}
