import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from '@waggle/service';
import { Delivery } from './delivery';

@Injectable()
export class DeliveryMetrics {
  constructor(@Inject(Registry) registry: Registry, delivery: Delivery) {
    const registers = [registry];
    const filled = new Counter({
      name: 'chat_entries_filled_total',
      help: 'Entries read from the database because no notification had brought them',
      registers,
    });
    delivery.streams.on('filled', (entries) => {
      filled.inc(entries);
    });
    new Gauge({
      name: 'chat_streams',
      help: 'Conversations and accounts with subscribers at this instance',
      registers,
      collect() {
        this.set(delivery.streams.size);
      },
    });
  }
}
