import { Counter, Gauge, Histogram, type Registry } from '@waggle/service';
import { type EventPage } from './events.store';

/** The metrics of the streams of this process. */
export class EventMetrics {
  readonly streams: Gauge;
  readonly events: Counter<'event'>;
  private readonly delay: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.streams = new Gauge({ name: 'rpc_gateway_event_streams', help: 'Open streams of events', registers });
    this.events = new Counter({
      name: 'rpc_gateway_events_total',
      help: 'Events sent to clients: notification, or reset if some may be missing',
      labelNames: ['event'],
      registers,
    });
    this.delay = new Histogram({
      name: 'rpc_gateway_event_delay_seconds',
      help: 'Time from the commit of a block in the index until its notifications are sent',
      buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 30],
      registers,
    });
  }

  /** Observes the delay of events that were just sent. @param readAtMs when the page was read */
  observeDelay({ commitAgeMs }: EventPage, readAtMs: number): void {
    if (commitAgeMs !== undefined) this.delay.observe((commitAgeMs + performance.now() - readAtMs) / 1_000);
  }
}
