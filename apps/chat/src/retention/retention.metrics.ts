import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from '@waggle/service';

@Injectable()
export class RetentionMetrics {
  readonly removed: Counter;

  constructor(@Inject(Registry) registry: Registry) {
    this.removed = new Counter({
      name: 'chat_rows_removed_total',
      help: 'Expired rows that this instance has deleted, by table',
      labelNames: ['table'],
      registers: [registry],
    });
  }
}
