import { Inject, Injectable } from '@nestjs/common';
import { BatchingCounter, Counter, observeValue, Registry } from '@waggle/service';
import { Connections } from './connections';

/** Metrics of connections and frames. */
@Injectable()
export class RealtimeMetrics {
  /** Frames from clients, by type. */
  readonly frames: BatchingCounter<'type'>;
  readonly failures: Counter<'code'>;
  /** Events for connections, by type, including those that are deferred or dropped because a client is slow. */
  readonly deliveries: BatchingCounter<'type'>;

  constructor(@Inject(Registry) registry: Registry, connections: Connections) {
    this.frames = new BatchingCounter('chat_frames_total', 'Frames from clients', ['type'], registry);
    this.failures = new Counter({
      name: 'chat_frame_errors_total',
      help: 'Frames that failed, by error code',
      labelNames: ['code'],
      registers: [registry],
    });
    this.deliveries = new BatchingCounter(
      'chat_deliveries_total',
      'Events for connections, also if deferred or dropped',
      ['type'],
      registry,
    );
    observeValue(registry, 'chat_connections', 'Open WebSockets of this instance', () => connections.size);
  }
}
