import { Inject, Injectable } from '@nestjs/common';
import { Counter, observeValue, Registry } from '@waggle/service';
import { OpenStreams } from './open-streams';

/** Metrics of open streams. */
@Injectable()
export class DeliveryMetrics {
  constructor(@Inject(Registry) registry: Registry, streams: OpenStreams) {
    const readEntries = new Counter({
      name: 'chat_entries_filled_total',
      help: 'Entries read from the database because no message of another instance brought them',
      registers: [registry],
    });
    streams.on('caught-up', (entries) => {
      readEntries.inc(entries);
    });
    const help = 'Conversations and accounts with subscribers at this instance';
    observeValue(registry, 'chat_streams', help, () => streams.size);
  }
}
