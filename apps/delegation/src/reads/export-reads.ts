import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ConcurrencyLimiter, type Executor, POOL } from '@waggle/service';
import { type Pool, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { DelegationError } from '../errors';
import { READ_SETTINGS, type ReadSettings } from './read-settings';

/**
 * Concurrent page reads of all exports together. Two made eight exports hardly faster, and doubled the p99 of
 * concurrent JSON requests from 20 to 40 ms.
 */
const pagesAtOnce = 1;

/**
 * Reads the pages of exports over the pool, one at a time, so that other requests are not held up by them. If another
 * export waits, a page is followed by a pause of the same length: several exports take at most half of the time, and a
 * single one is not slowed down.
 */
@Injectable()
export class ExportReads implements Executor {
  private readonly pages: ConcurrencyLimiter;

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(READ_SETTINGS) { exports }: Pick<ReadSettings, 'exports'>,
  ) {
    const limits = { maxRunning: pagesAtOnce, maxWaitMs: exports.maxDurationMs };
    this.pages = new ConcurrencyLimiter(
      limits,
      () => new DelegationError('unavailable', 'too many exports are read at once; try again', { retryAfterMs: 2_000 }),
    );
  }

  /** Rejects with the driver's errors, or `unavailable`. */
  async query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>> {
    return await this.pages.run(async () => {
      const sinceMs = performance.now();
      const result = await this.pool.query<Row>(statement);
      if (this.pages.hasQueued) await setTimeout(performance.now() - sinceMs);
      return result;
    });
  }
}
