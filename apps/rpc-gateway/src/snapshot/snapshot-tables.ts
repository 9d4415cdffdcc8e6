import { type EntityClass, entityColumns, tableName } from '@waggle/service';
import { chainEntities } from '../chain-entities';

/** A table of the gateway's index, and the statements that export and import it. */
export interface SnapshotTable {
  readonly name: string;
  readonly columns: readonly string[];
  /**
   * SQL that exports the rows in primary-key order. All keys are numeric or have the collation C
   * (`snapshot-tables.spec.ts` checks it), so the order does not depend on the database and the digest is the same
   * everywhere.
   */
  readonly exportSql: string;
  /**
   * SQL that imports the rows already frozen, so that no vacuum is needed later. PostgreSQL requires that the table was
   * truncated in the same transaction.
   */
  readonly importSql: string;
}

export const snapshotTables: readonly SnapshotTable[] = chainEntities.map(toSnapshotTable);

function toSnapshotTable(entity: EntityClass<object>): SnapshotTable {
  const name = tableName(entity);
  const columns = entityColumns(entity);
  const columnNames = columns.map((column) => column.name);
  const keyColumns = columns.filter(({ isKey }) => isKey).map((column) => column.name);
  return {
    name,
    columns: columnNames,
    exportSql: `COPY (SELECT ${columnNames.join(', ')} FROM ${name} ORDER BY ${keyColumns.join(', ')}) TO STDOUT`,
    importSql: `COPY ${name} (${columnNames.join(', ')}) FROM STDIN WITH (FREEZE)`,
  };
}
