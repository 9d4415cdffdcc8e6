import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { type Position } from './log.store';
import { WRITER_POOL } from './writer-pool';

/** The history of a database: PostgreSQL begins another timeline whenever a standby is promoted or a backup is restored. */
export interface Timeline {
  /** Differs between databases, too: 8 hexadecimal digits. */
  id: string;
  /** Whether a commit is acknowledged only once a standby has it, so that a standby that is promoted lacks none. */
  isSynchronous: boolean;
}

const currentTimeline = new Statement({
  name: 'timeline',
  // The control file has a new timeline only after the next checkpoint; the name of the current WAL file has it at once.
  text: `
    SELECT (SELECT system_identifier FROM pg_control_system()) AS system,
           (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database,
           left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline,
           current_setting('synchronous_standby_names') <> ''
             AND current_setting('synchronous_commit') IN ('remote_write', 'on', 'remote_apply') AS is_synchronous`,
  parameters: {},
  columns: {
    system: sql.notNull(sql.int8),
    database: sql.notNull(sql.int8),
    timeline: sql.notNull(sql.text),
    is_synchronous: sql.notNull(sql.bool),
  },
});

const lacksDelivered = new Statement({
  name: 'lacks-delivered',
  text: `
    SELECT EXISTS (
      SELECT FROM unnest($1::text[], $2::bigint[]) AS delivered (stream, seq)
      LEFT JOIN conversation c ON c.id = delivered.stream
      LEFT JOIN account_stream s ON s.account = delivered.stream
      WHERE coalesce(c.last_seq, s.last_seq, 0) < delivered.seq
    ) AS lacks`,
  parameters: { streams: sql.arrayOf(sql.text), seqs: sql.arrayOf(sql.int8) },
  columns: { lacks: sql.notNull(sql.bool) },
});

/** Enough that two timelines do not share an id, and few, since every frame carries them in its cursor. */
const idDigits = 8;

/** Reads which timeline the database is on, and what it lacks. */
@Injectable()
export class TimelineStore {
  constructor(@Inject(WRITER_POOL) private readonly pool: Pool) {}

  /** @throws DatabaseError while the server is a standby */
  async read(): Promise<Timeline> {
    const row = await currentTimeline.find(this.pool, {});
    if (row === undefined) throw new Error('a statement without FROM gave no row');
    const { system, database, timeline, is_synchronous } = row;
    const id = createHash('sha256').update(`${system} ${database} ${timeline}`).digest('hex').slice(0, idDigits);
    return { id, isSynchronous: is_synchronous };
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
