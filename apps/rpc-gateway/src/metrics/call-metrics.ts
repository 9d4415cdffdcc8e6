import { Counter, Histogram, type Registry } from '@waggle/service';
import { type Answer } from '../rpc/answer';

/** Counts and times calls by route: what callers name their methods would be labels without end. */
export class CallMetrics {
  private readonly calls: Counter<'route' | 'cache' | 'outcome'>;
  private readonly seconds: Histogram<'route'>;

  constructor(registry: Registry) {
    this.calls = new Counter({
      name: 'rpc_gateway_calls_total',
      help: 'Calls by route (none: refused before it had one), where the answer came from, and how it ended',
      labelNames: ['route', 'cache', 'outcome'],
      registers: [registry],
    });
    this.seconds = new Histogram({
      name: 'rpc_gateway_call_duration_seconds',
      help: 'Duration of calls by route in seconds',
      labelNames: ['route'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30],
      registers: [registry],
    });
  }

  count(route: string, { cache, outcome }: Answer, ms: number): void {
    this.calls.inc({ route, cache, outcome });
    this.seconds.observe({ route }, ms / 1_000);
  }
}
