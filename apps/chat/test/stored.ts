import { createHash } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import { emptyTables, type TestDatabase } from '@waggle/testing';

/** What the chat has stored, as seen from beside it. */
export class Stored {
  private constructor(private readonly client: Client) {}

  static async of(database: TestDatabase): Promise<Stored> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    return new Stored(client);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** A text for each table that differs whenever any of its rows does. */
  async fingerprints(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const table of await this.tables()) {
      const { rows } = await this.client.query<{ line: string }>(
        `SELECT t::text AS line FROM ${escapeIdentifier(table)} t ORDER BY 1`,
      );
      const lines = rows.map(({ line }) => line).join('\n');
      found[table] = `${rows.length} rows, ${createHash('sha256').update(lines).digest('hex')}`;
    }
    return found;
  }

  /**
   * Removes everything but the sessions and the places that the streams of connected accounts have reached: the next test, or
   * the next attempt of a property, begins with nothing.
   */
  async clear(): Promise<void> {
    const kept = new Set(['session', 'migration', 'account_stream', 'event', 'commit_log']);
    await emptyTables(
      this.client,
      (await this.tables()).filter((table) => !kept.has(table)),
    );
  }

  private async tables(): Promise<string[]> {
    const { rows } = await this.client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  }
}
