import { Module } from '@nestjs/common';
import { RealtimeModule } from '../realtime/realtime.module';
import { Backfill } from './backfill';
import { Cursor } from './cursor';
import { MissedStore } from './missed.store';
import { Resumption } from './resumption';
import { Streams } from './streams';
import { StreamsMetrics } from './streams.metrics';
import { StreamsStore } from './streams.store';
import { Teller } from './teller';

/** What happens, in order, and who hears of it at this instance; between instances over the bus. */
@Module({
  imports: [RealtimeModule],
  providers: [Backfill, Cursor, MissedStore, Resumption, Streams, StreamsMetrics, StreamsStore, Teller],
  exports: [Cursor, Resumption, Streams, StreamsMetrics, StreamsStore],
})
export class StreamsModule {}
