import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from '@waggle/service';
import { Connections } from './connections';

/** What the chat is for, in numbers. */
@Injectable()
export class RealtimeMetrics {
  readonly frames: Counter<'type'>;
  readonly failures: Counter<'code'>;
  readonly deliveries: Counter<'type'>;

  constructor(@Inject(Registry) registry: Registry, connections: Connections) {
    const registers = [registry];
    this.frames = new Counter({
      name: 'chat_frames_total',
      help: 'Frames from clients',
      labelNames: ['type'],
      registers,
    });
    this.failures = new Counter({
      name: 'chat_frame_errors_total',
      help: 'Frames answered with an error, by its code',
      labelNames: ['code'],
      registers,
    });
    this.deliveries = new Counter({
      name: 'chat_deliveries_total',
      help: 'Events written to connections',
      labelNames: ['type'],
      registers,
    });
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
