import { sql, Statement } from '@waggle/service';
import { type Client, escapeIdentifier } from 'pg';
import { snapshotTables } from './snapshot-tables';

const selectIndexes = new Statement({
  name: 'snapshot-secondary-indexes',
  text: `
    SELECT indexname::text AS name, indexdef AS definition FROM pg_indexes
    WHERE schemaname = current_schema() AND tablename = ANY ($1::text[])
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = format('%I.%I', schemaname, indexname)::regclass)
    ORDER BY indexname`,
  parameters: { tables: sql.arrayOf(sql.text) },
  columns: { name: sql.notNull(sql.text), definition: sql.notNull(sql.text) },
});

/** The indexes that are not primary keys. They are built faster after the rows are written than while they are. */
export class SecondaryIndexes {
  private constructor(private readonly indexes: readonly { readonly name: string; readonly definition: string }[]) {}

  static async drop(client: Client): Promise<SecondaryIndexes> {
    const indexes = await selectIndexes.query(client, { tables: snapshotTables.map(({ name }) => name) });
    for (const { name } of indexes) await client.query(dropIndex(name));
    return new SecondaryIndexes(indexes);
  }

  /** Builds them again, and collects the statistics that the planner needs. */
  async create(client: Client, onIndex: (name: string) => void = () => undefined): Promise<void> {
    for (const { name, definition } of this.indexes) {
      await client.query(definition);
      onIndex(name);
    }
    await client.query(analyze(snapshotTables.map(({ name }) => name)));
  }
}

const dropIndex = (name: string) => `DROP INDEX ${escapeIdentifier(name)}`;
const analyze = (tables: readonly string[]) => `ANALYZE ${tables.join(', ')}`;
