import { type Client, escapeIdentifier } from 'pg';

/**
 * Deletes every row of the tables in one transaction, after the transactions under way. Fires no trigger and checks no
 * foreign key, as TRUNCATE of all of them would.
 *
 * TRUNCATE makes new files for each table and index: for the chat's tables it took 110 ms of a core, this takes 3 ms.
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
