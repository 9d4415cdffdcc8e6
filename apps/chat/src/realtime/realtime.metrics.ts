import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from '@waggle/service';
import { Connections } from './connections';

/** What the chat is for, in numbers. */
@Injectable()
export class RealtimeMetrics {
  /** Frames from clients, by type. */
  readonly frames: Tally;
  readonly failures: Counter<'code'>;
  /** Events written to connections, by type. */
  readonly deliveries: Tally;

  constructor(@Inject(Registry) registry: Registry, connections: Connections) {
    const registers = [registry];
    this.frames = new Tally('chat_frames_total', 'Frames from clients', registry);
    this.failures = new Counter({
      name: 'chat_frame_errors_total',
      help: 'Frames answered with an error, by its code',
      labelNames: ['code'],
      registers,
    });
    this.deliveries = new Tally('chat_deliveries_total', 'Events written to connections', registry);
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

/** A counter by type whose labels are looked at when it is read, not each time that something is counted. */
class Tally {
  private readonly counts = new Map<string, number>();

  constructor(name: string, help: string, registry: Registry) {
    const { counts } = this;
    new Counter({
      name,
      help,
      labelNames: ['type'],
      registers: [registry],
      collect() {
        for (const [type, count] of counts) this.inc({ type }, count);
        counts.clear();
      },
    });
  }

  add(type: string, count: number) {
    this.counts.set(type, (this.counts.get(type) ?? 0) + count);
  }
}
