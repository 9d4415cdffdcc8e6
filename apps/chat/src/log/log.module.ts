import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { LogStore } from './log.store';
import { MissedStore } from './missed.store';
import { TIMELINE_POOL, timelinePool, WRITER_POOL, writerPool } from './pools';
import { TimelineStore } from './timeline.store';

/** Writes and reads entries: what has happened in conversations and to accounts. */
@Module({
  providers: [
    LogStore,
    MissedStore,
    TimelineStore,
    { provide: WRITER_POOL, inject: [POOL], useFactory: writerPool },
    { provide: TIMELINE_POOL, inject: [POOL], useFactory: timelinePool },
  ],
  exports: [LogStore, MissedStore, TimelineStore, WRITER_POOL],
})
export class LogModule implements OnApplicationShutdown {
  constructor(
    @Inject(WRITER_POOL) private readonly writerPool: Pool,
    @Inject(TIMELINE_POOL) private readonly timelinePool: Pool,
  ) {}

  async onApplicationShutdown() {
    await Promise.all([this.writerPool.end(), this.timelinePool.end()]);
  }
}
