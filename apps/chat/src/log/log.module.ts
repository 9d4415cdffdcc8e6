import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { LogStore } from './log.store';
import { MissedStore } from './missed.store';
import { createTimelinePool, createWriterPool, TIMELINE_POOL, WRITER_POOL } from './pools';
import { TimelineStore } from './timeline.store';

/**
 * Provides the stores that read entries and the database's timeline, and the pool for writing. Entries are written by functions of this
 * folder: by `appendChanges` in the caller's transaction, and by `appendMessages` there or in a statement of its own.
 */
@Module({
  providers: [
    LogStore,
    MissedStore,
    TimelineStore,
    { provide: WRITER_POOL, inject: [POOL], useFactory: createWriterPool },
    { provide: TIMELINE_POOL, inject: [POOL], useFactory: createTimelinePool },
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
