import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { emptyTables, type TestDatabase } from '@waggle/testing';

/** Reads and clears the tables of the chat. */
export class DatabaseState {
  private tableNames: readonly string[] | undefined;

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
    // One statement, since a round trip for each table took a third of the time of the tests of rejected frames.
    const selects = (await this.tables()).map(
      (table) => `SELECT ${escapeLiteral(table)} AS name, count(*) || ' rows, ' ||
        coalesce(md5(string_agg(t::text, E'\n' ORDER BY t::text)), '') AS fingerprint FROM ${escapeIdentifier(table)} t`,
    );
    const { rows } = await this.client.query<{ name: string; fingerprint: string }>(selects.join(' UNION ALL '));
    return Object.fromEntries(rows.map(({ name, fingerprint }) => [name, fingerprint]));
  }

  /**
   * Deletes everything except the sessions and the streams of connected accounts, before the next test or the next run
   * of a property.
   */
  async clear(): Promise<void> {
    const excluded = new Set(['session', 'migration', 'account_stream', 'event', 'commit_log']);
    await emptyTables(
      this.client,
      (await this.tables()).filter((table) => !excluded.has(table)),
    );
  }

  /**
   * Reads the names once, since the tables stay the same after the migrations. Leaves out partitions, since statements
   * about their table include them, and the search index, which is filled in the background.
   */
  private async tables(): Promise<readonly string[]> {
    if (this.tableNames === undefined) {
      const { rows } = await this.client.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
           AND relname NOT LIKE 'search\\_%' ORDER BY 1`,
      );
      this.tableNames = rows.map(({ name }) => name);
    }
    return this.tableNames;
  }
}
