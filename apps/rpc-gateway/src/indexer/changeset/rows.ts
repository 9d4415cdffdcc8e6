import { type Queryable } from '@waggle/service';
import { type Table } from './table';

/** The rows of a batch from one table. Changes replace rows, never modify them, and are written together. */
export class Rows<Row extends object> {
  private readonly rows = new Map<string, Row>();
  private readonly stored = new Set<string>();
  private readonly changes = new Map<string, { row: Row; isDeleted: boolean }>();

  constructor(private readonly table: Table<Row>) {}

  /** Adds rows that were read from the database. */
  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const key = this.table.keyOf(row);
      this.stored.add(key);
      this.rows.set(key, row);
    }
  }

  /** @param key the values of the primary key, in the order of the entity's columns */
  find(...key: readonly (number | bigint)[]): Row | undefined {
    return this.rows.get(key.join(' '));
  }

  put(row: Row): Row {
    const key = this.table.keyOf(row);
    this.rows.set(key, row);
    this.changes.set(key, { row, isDeleted: false });
    return row;
  }

  remove(row: Row): void {
    const key = this.table.keyOf(row);
    this.rows.delete(key);
    this.changes.set(key, { row, isDeleted: true });
  }

  values(): IterableIterator<Row> {
    return this.rows.values();
  }

  async write(client: Queryable): Promise<void> {
    const deleted: Row[] = [];
    const changed: Row[] = [];
    for (const [key, { row, isDeleted }] of this.changes) {
      if (!isDeleted) changed.push(row);
      else if (this.stored.has(key)) deleted.push(row);
    }
    await this.table.delete(client, deleted);
    await this.table.upsert(client, changed);
  }
}
