import { type Client, DatabaseError, escapeIdentifier } from 'pg';

/** The SQLSTATE of a transaction that was ended because two waited for each other. */
const deadlockDetected = '40P01';

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
  const text = [
    'BEGIN',
    'SET LOCAL session_replication_role = replica',
    `LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`,
    ...names.map((name) => `DELETE FROM ${name}`),
    'COMMIT',
  ].join('; ');
  for (;;) {
    try {
      await client.query(text);
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      // A service that still works uses the tables in another order. PostgreSQL ends one of the two transactions.
      if (!(error instanceof DatabaseError) || error.code !== deadlockDetected) throw error;
    }
  }
}
