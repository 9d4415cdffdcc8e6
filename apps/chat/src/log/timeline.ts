import { createHash } from 'node:crypto';
import { type Queryable, sql, Statement } from '@waggle/service';

/**
 * The history of a database: PostgreSQL begins another timeline whenever a standby is promoted or a backup is restored.
 */
export interface Timeline {
  /** Differs between databases, too: 8 hexadecimal digits. */
  id: string;
  /** Whether a commit is acknowledged only once a standby has it, so that a standby that is promoted lacks none. */
  isSynchronous: boolean;
}

const currentTimeline = new Statement({
  name: 'timeline',
  // The control file has a new timeline only after the next checkpoint; the name of the current WAL file has it at
  // once.
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

/** Enough that two timelines do not share an id, and few, since every frame carries them in its cursor. */
const idDigits = 8;

/** @throws DatabaseError while the server is a standby */
export async function readTimeline(database: Queryable): Promise<Timeline> {
  const row = await currentTimeline.find(database, {});
  if (row === undefined) throw new Error('a statement without FROM returned no row');
  const { system, database: oid, timeline, is_synchronous } = row;
  const id = createHash('sha256').update(`${system} ${oid} ${timeline}`).digest('hex').slice(0, idDigits);
  return { id, isSynchronous: is_synchronous };
}
