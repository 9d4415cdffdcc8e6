import { createHash } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import { emptyTables, type TestDatabase } from '@waggle/testing';

/** Reads and clears the tables of the chat. */
export class DatabaseState {
  private constructor(private readonly client: Client) {}

  static async connect(database: TestDatabase): Promise<DatabaseState> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    return new DatabaseState(client);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** Returns a text for each table that changes whenever a row does. */
  async fingerprints(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const table of await this.tables()) {
      const { rows } = await this.client.query<{ row: string }>(
        `SELECT t::text AS row FROM ${escapeIdentifier(table)} t ORDER BY 1`,
      );
      const text = rows.map(({ row }) => row).join('\n');
      found[table] = `${rows.length} rows, ${createHash('sha256').update(text).digest('hex')}`;
    }
    return found;
  }

  /**
   * Deletes everything except the sessions and the streams of connected accounts, before the next test or the next run of a
   * property.
   */
  async clear(): Promise<void> {
    const excluded = new Set(['session', 'migration', 'account_stream', 'event', 'commit_log']);
    await emptyTables(
      this.client,
      (await this.tables()).filter((table) => !excluded.has(table)),
    );
  }

  private async tables(): Promise<string[]> {
    const { rows } = await this.client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  }
}
