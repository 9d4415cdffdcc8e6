import { Client } from 'pg';

/** Copies of the tables of an index, to restore them later, as after a failover that lost commits. */
export class IndexCopies {
  private constructor(
    private readonly client: Client,
    private readonly tables: readonly string[],
  ) {}

  static async of(url: string): Promise<IndexCopies> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '%migration%'`,
    );
    return new IndexCopies(
      client,
      rows.map(({ name }) => name),
    );
  }

  /** Copies the index as it is. */
  async save(copy: string): Promise<void> {
    await this.client.query(`CREATE SCHEMA ${copy}`);
    for (const table of this.tables) await this.client.query(`CREATE TABLE ${copy}.${table} AS TABLE ${table}`);
  }

  /** Replaces the contents of the index in one transaction. */
  async restore(copy: string): Promise<void> {
    await this.client.query('BEGIN');
    for (const table of this.tables) {
      await this.client.query(`DELETE FROM ${table}`);
      await this.client.query(`INSERT INTO ${table} SELECT * FROM ${copy}.${table}`);
    }
    await this.client.query('COMMIT');
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
