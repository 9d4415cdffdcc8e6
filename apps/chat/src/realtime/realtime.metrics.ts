import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry, BatchingCounter } from '@waggle/service';
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
    const registers = [registry];
    this.frames = new BatchingCounter('chat_frames_total', 'Frames from clients', ['type'], registry);
    this.failures = new Counter({
      name: 'chat_frame_errors_total',
      help: 'Frames that failed, by error code',
      labelNames: ['code'],
      registers,
    });
    this.deliveries = new BatchingCounter(
      'chat_deliveries_total',
      'Events for connections, also if deferred or dropped',
      ['type'],
      registry,
    );
    new Gauge({
      name: 'chat_connections',
      help: 'Open WebSockets of this instance',
      registers,
      collect() {
        this.set(connections.size);
      },
    });
  }
}
