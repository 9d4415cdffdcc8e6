import { type Queryable } from '@waggle/service';
import { type Table } from './table';

/**
 * The rows of one table that a batch is about: read before, changed here, and then written at once. Rows are never
 * changed in place, so that what is to be written is known.
 */
export class Rows<Row extends object> {
  private readonly rows = new Map<string, Row>();
  private readonly stored = new Set<string>();
  private readonly changes = new Map<string, { row: Row; isGone: boolean }>();

  constructor(private readonly table: Table<Row>) {}

  /** Takes what was read from the database. */
  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const key = this.table.keyOf(row);
      this.stored.add(key);
      this.rows.set(key, row);
    }
  }

  /** @param key the primary columns in the entity's order */
  find(...key: readonly (number | bigint)[]): Row | undefined {
    return this.rows.get(key.join(' '));
  }

  put(row: Row): Row {
    const key = this.table.keyOf(row);
    this.rows.set(key, row);
    this.changes.set(key, { row, isGone: false });
    return row;
  }

  remove(row: Row): void {
    const key = this.table.keyOf(row);
    this.rows.delete(key);
    this.changes.set(key, { row, isGone: true });
  }

  values(): IterableIterator<Row> {
    return this.rows.values();
  }

  async write(client: Queryable): Promise<void> {
    const gone: Row[] = [];
    const kept: Row[] = [];
    for (const [key, { row, isGone }] of this.changes) {
      if (!isGone) kept.push(row);
      else if (this.stored.has(key)) gone.push(row);
    }
    await this.table.delete(client, gone);
    await this.table.write(client, kept);
  }
}
