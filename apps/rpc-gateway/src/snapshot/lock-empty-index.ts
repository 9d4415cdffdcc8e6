import { setTimeout } from 'node:timers/promises';
import { tryFollowerLock } from '@waggle/chain';
import { sql, Statement } from '@waggle/service';
import { type Client } from 'pg';
import { followerName } from '../index-state/index-state';
import { SnapshotError } from './snapshot-error';
import { snapshotTables } from './snapshot-tables';

const tables = snapshotTables.map(({ name }) => name);
const allTables = [...tables, 'index_state', 'chain_checkpoint'];

const findRows = new Statement({
  name: 'snapshot-find-rows',
  text: `SELECT ${allTables.map((name) => `EXISTS (SELECT FROM ${name})`).join(' OR ')} AS "hasRows"`,
  parameters: {},
  columns: { hasRows: sql.notNull(sql.bool) },
});

const lockPauseMs = 100;

/**
 * Starts the transaction of an import: no indexer can start before it ends. Emptying the tables lets rows be written
 * frozen. The tables that say whether there is an index stay readable, so that instances of the API can serve calls
 * from nodes.
 *
 * @param maxWaitMs how long a former import may take to end: the server needs a moment to notice that it was killed
 * @throws SnapshotError if an indexer or another import runs, or the database is not empty
 */
export async function lockEmptyIndex(client: Client, maxWaitMs: number): Promise<void> {
  await lockFollower(client, maxWaitMs);
  await client.query('BEGIN');
  const names = tables.join(', ');
  await client.query(lockTables(names));
  const found = await findRows.find(client, {});
  if (found?.hasRows !== false)
    throw new SnapshotError('not-empty', 'The database is not empty: a snapshot is imported into a new, migrated one');
  await client.query(truncateTables(names));
}

async function lockFollower(client: Client, maxWaitMs: number): Promise<void> {
  const startedMs = performance.now();
  while (!(await tryFollowerLock(client, followerName))) {
    if (performance.now() - startedMs > maxWaitMs)
      throw new SnapshotError('busy', 'An indexer or another import uses this database: stop it first');
    await setTimeout(lockPauseMs);
  }
}

const lockTables = (names: string) => `LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`;
const truncateTables = (names: string) => `TRUNCATE ${names}`;
