import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from '@waggle/service';
import { Delivery } from './delivery';

@Injectable()
export class DeliveryMetrics {
  readonly filled: Counter;

  constructor(@Inject(Registry) registry: Registry, delivery: Delivery) {
    const registers = [registry];
    this.filled = new Counter({
      name: 'chat_entries_filled_total',
      help: 'Entries that no notification has brought, read from the database',
      registers,
    });
    new Gauge({
      name: 'chat_streams',
      help: 'Conversations and accounts with subscribers at this instance',
      registers,
      collect() {
        this.set(delivery.openStreams);
      },
    });
  }
}
