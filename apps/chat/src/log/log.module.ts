import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { LogStore } from './log.store';
import { CatchUpStore } from './catch-up.store';
import { createTimelinePool, createMessagePool, TIMELINE_POOL, MESSAGE_POOL } from './pools';
import { TimelineStore } from './timeline.store';

/**
 * Provides the stores that read entries and PostgreSQL's timeline, and the pool that stores messages and
 * acknowledgments. Functions of this folder write entries: changes in the caller's transaction, messages there or in a
 * statement of their own.
 */
@Module({
  providers: [
    LogStore,
    CatchUpStore,
    TimelineStore,
    { provide: MESSAGE_POOL, inject: [POOL], useFactory: createMessagePool },
    { provide: TIMELINE_POOL, inject: [POOL], useFactory: createTimelinePool },
  ],
  exports: [LogStore, CatchUpStore, TimelineStore, MESSAGE_POOL],
})
export class LogModule implements OnApplicationShutdown {
  constructor(
    @Inject(MESSAGE_POOL) private readonly messagePool: Pool,
    @Inject(TIMELINE_POOL) private readonly timelinePool: Pool,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.messagePool.end(), this.timelinePool.end()]);
  }
}
