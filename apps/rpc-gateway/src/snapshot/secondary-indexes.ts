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

/**
 * The PostgreSQL indexes of the snapshot's tables, except the constraints'. Building an index once after the rows are
 * copied is faster than updating it for every row. Both steps run in the import's transaction.
 */
export class SecondaryIndexes {
  private constructor(private readonly indexes: readonly { readonly name: string; readonly definition: string }[]) {}

  /** Drops the indexes and returns their definitions for `rebuild`. */
  static async drop(client: Client): Promise<SecondaryIndexes> {
    const indexes = await selectIndexes.query(client, { tables: snapshotTables.map(({ name }) => name) });
    for (const { name } of indexes) await client.query(dropIndex(name));
    return new SecondaryIndexes(indexes);
  }

  /** Builds the indexes again, and collects the statistics that the planner needs. */
  async rebuild(client: Client, onIndexBuilt: (name: string) => void = () => undefined): Promise<void> {
    for (const { name, definition } of this.indexes) {
      await client.query(definition);
      onIndexBuilt(name);
    }
    await client.query(analyze(snapshotTables.map(({ name }) => name)));
  }
}

const dropIndex = (name: string) => `DROP INDEX ${escapeIdentifier(name)}`;
const analyze = (tables: readonly string[]) => `ANALYZE ${tables.map(escapeIdentifier).join(', ')}`;
