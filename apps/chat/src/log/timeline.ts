import { createHash } from 'node:crypto';
import { type Queryable, sql, Statement } from '@waggle/service';

/**
 * The history of one database. PostgreSQL begins another timeline when a standby is promoted or a backup is restored.
 */
export interface Timeline {
  /** 8 hexadecimal digits. Two databases never share one, even on the same server. */
  id: string;
  /** Whether commits wait for a standby. If so, a promoted standby has every acknowledged commit. */
  isSynchronous: boolean;
}

const currentTimeline = new Statement({
  name: 'timeline',
  // The name of the current WAL file has a new timeline at once; the control file only after PostgreSQL's next
  // checkpoint.
  text: `
    SELECT (SELECT system_identifier FROM pg_control_system()) AS system,
           (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database,
           left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline_number,
           current_setting('synchronous_standby_names') <> ''
             AND current_setting('synchronous_commit') IN ('remote_write', 'on', 'remote_apply') AS is_synchronous`,
  parameters: {},
  columns: {
    system: sql.notNull(sql.int8),
    database: sql.notNull(sql.int8),
    timeline_number: sql.notNull(sql.text),
    is_synchronous: sql.notNull(sql.bool),
  },
});

/** Long enough to avoid collisions; short, because every frame carries the id in its cursor. */
const idDigits = 8;

/** @throws DatabaseError while the server is a standby: it writes no WAL */
export async function readTimeline(database: Queryable): Promise<Timeline> {
  const row = await currentTimeline.find(database, {});
  if (row === undefined) throw new Error('a statement without FROM returned no row');
  const { system, database: oid, timeline_number, is_synchronous } = row;
  const id = createHash('sha256').update(`${system} ${oid} ${timeline_number}`).digest('hex').slice(0, idDigits);
  return { id, isSynchronous: is_synchronous };
}
