import { Inject, Injectable } from '@nestjs/common';
import { sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { SharedRuns } from '../shared-runs';
import { AdoptedTimeline } from './adopted-timeline';
import { type Position } from './entry';
import { readTimeline, type Timeline } from './timeline';
import { TIMELINE_POOL } from './pools';
import { eventTable } from './event.entity';

/** Returns whether a stream ends before an entry of it that was delivered. */
const lacksDelivered = new Statement({
  name: 'lacks-delivered',
  text: `
    SELECT EXISTS (
      SELECT FROM unnest($1::text[], $2::bigint[]) AS delivered (stream, seq)
      LEFT JOIN conversation c ON c.id = delivered.stream
      LEFT JOIN account_stream s ON s.account = delivered.stream
      WHERE coalesce(c.last_seq, s.last_seq, 0) < delivered.seq
    ) AS lacks`,
  parameters: { streams: sql.arrayOf(eventTable.stream), seqs: sql.arrayOf(eventTable.seq) },
  columns: { lacks: sql.notNull(sql.bool) },
});

/** Reads which timeline the database is on, and what it lacks. */
@Injectable()
export class TimelineStore {
  private readonly reads = new SharedRuns(() => readTimeline(this.pool));

  constructor(
    @Inject(TIMELINE_POOL) private readonly pool: Pool,
    readonly adopted: AdoptedTimeline,
  ) {}

  /**
   * Reads the timeline as of this call or later. Calls during a read share the next one, since the pool has one
   * connection and every connection that resumes reads the timeline twice.
   *
   * @throws DatabaseError while the server is a standby
   */
  read(): Promise<Timeline> {
    return this.reads.run();
  }

  /** Returns whether the database lacks entries that were delivered. */
  async lacksAny(delivered: readonly Position[]): Promise<boolean> {
    const row = await lacksDelivered.find(this.pool, {
      streams: delivered.map(({ stream }) => stream),
      seqs: delivered.map(({ seq }) => seq),
    });
    return row?.lacks === true;
  }
}
