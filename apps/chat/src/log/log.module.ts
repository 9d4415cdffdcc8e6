import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { LogStore } from './log.store';
import { MissedStore } from './missed.store';
import { TimelineStore } from './timeline.store';
import { WRITER_POOL, writerPool } from './writer-pool';

/** Writes and reads entries: what has happened in conversations and to accounts. */
@Module({
  providers: [LogStore, MissedStore, TimelineStore, { provide: WRITER_POOL, inject: [POOL], useFactory: writerPool }],
  exports: [LogStore, MissedStore, TimelineStore, WRITER_POOL],
})
export class LogModule implements OnApplicationShutdown {
  constructor(@Inject(WRITER_POOL) private readonly writerPool: Pool) {}

  async onApplicationShutdown() {
    await this.writerPool.end();
  }
}
