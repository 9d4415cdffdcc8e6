import { BatchingCounter, DurationHistogram, type Registry } from '@waggle/service';
import { type ResponseSource, type RpcResponse } from '../rpc/rpc-response';

/** Counts and times calls by route, not by method: clients could create any number of labels. */
export class CallMetrics {
  /** Calls since the start by the source of their response, for the status page. */
  readonly bySource: Record<ResponseSource, number> = { index: 0, upstream: 0, cache: 0, gateway: 0 };
  private readonly calls: BatchingCounter<'route' | 'cache' | 'outcome'>;
  private readonly seconds: DurationHistogram;

  constructor(registry: Registry) {
    const help = 'Calls by route (none: rejected before routing), use of the cache, and outcome';
    this.calls = new BatchingCounter('rpc_gateway_calls_total', help, ['route', 'cache', 'outcome'], registry);
    this.seconds = new DurationHistogram({
      name: 'rpc_gateway_call_duration_seconds',
      help: 'Duration of calls by route in seconds, without responses from the memory cache',
      labelNames: ['route'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30],
      registers: [registry],
    });
  }

  count(route: string, { cache, outcome, source }: RpcResponse): void {
    this.bySource[source] += 1;
    this.calls.add(1, route, cache, outcome);
  }

  time(route: string, ms: number): void {
    this.seconds.observe({ route }, ms / 1_000);
  }
}
