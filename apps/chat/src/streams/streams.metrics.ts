import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from '@waggle/service';
import { Streams } from './streams';

@Injectable()
export class StreamsMetrics {
  readonly filled: Counter;

  constructor(@Inject(Registry) registry: Registry, streams: Streams) {
    const registers = [registry];
    this.filled = new Counter({
      name: 'chat_entries_filled_total',
      help: 'Entries that no hint has told of, read from the database',
      registers,
    });
    new Gauge({
      name: 'chat_streams',
      help: 'Streams that accounts connected to this instance hear',
      registers,
      collect() {
        this.set(streams.size);
      },
    });
  }
}
