import { type Client, escapeIdentifier } from 'pg';

/**
 * Deletes every row of the tables in one transaction, after running transactions end. Fires no triggers and checks no
 * foreign keys, like a TRUNCATE of all.
 *
 * TRUNCATE creates new files for each table and index, which took 110 ms of CPU time for the chat's tables; this takes
 * 3 ms.
 *
 * @param client connected as the administrator
 */
export async function emptyTables(client: Client, tables: readonly string[]): Promise<void> {
  const names = tables.map((table) => escapeIdentifier(table));
  await client.query(
    [
      'BEGIN',
      'SET LOCAL session_replication_role = replica',
      `LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`,
      ...names.map((name) => `DELETE FROM ${name}`),
      'COMMIT',
    ].join('; '),
  );
}
