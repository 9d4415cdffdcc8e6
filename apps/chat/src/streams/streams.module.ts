import { Module } from '@nestjs/common';
import { RealtimeModule } from '../realtime/realtime.module';
import { Cursor } from './cursor';
import { Streams } from './streams';
import { StreamsMetrics } from './streams.metrics';
import { StreamsStore } from './streams.store';
import { Teller } from './teller';

/** What happens, in order, and who hears of it at this instance; between instances over the bus. */
@Module({
  imports: [RealtimeModule],
  providers: [Cursor, Streams, StreamsMetrics, StreamsStore, Teller],
  exports: [Cursor, Streams, StreamsMetrics, StreamsStore],
})
export class StreamsModule {}
