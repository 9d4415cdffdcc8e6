import { type Queryable } from '@waggle/service';
import { type Table } from './table';

/** The rows of a batch from one table. Changes replace rows, never modify them, and are written together. */
export class Rows<Row extends object> {
  private readonly rows = new Map<string, Row>();
  private readonly groups = new Map<number | bigint, Map<string, Row>>();
  private readonly stored = new Set<string>();
  private readonly changes = new Map<string, { row: Row; isDeleted: boolean }>();

  /** @param groupOf the id that `ofGroup` finds a row by; undefined for rows that it does not find */
  constructor(
    private readonly table: Table<Row>,
    private readonly groupOf: (row: Row) => number | bigint | undefined = () => undefined,
  ) {}

  /** Adds rows that were read from the database. */
  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const key = this.table.keyOf(row);
      this.stored.add(key);
      this.set(key, row);
    }
  }

  /** Reads the stored rows that have the primary keys of `keys`, and adds them. */
  async load(client: Queryable, keys: readonly Partial<Row>[]): Promise<void> {
    this.add(await this.table.find(client, keys));
  }

  /** @param key the values of the primary key, in the order of the entity's columns */
  find(...key: readonly (number | bigint | string)[]): Row | undefined {
    return this.rows.get(key.join(' '));
  }

  /** Returns the rows of a group, without a search through all rows: a batch has thousands. */
  ofGroup(id: number | bigint): Row[] {
    return [...(this.groups.get(id)?.values() ?? [])];
  }

  put(row: Row): Row {
    const key = this.table.keyOf(row);
    this.set(key, row);
    this.changes.set(key, { row, isDeleted: false });
    return row;
  }

  remove(row: Row): void {
    const key = this.table.keyOf(row);
    this.removeFromGroup(key);
    this.rows.delete(key);
    this.changes.set(key, { row, isDeleted: true });
  }

  removeGroup(id: number | bigint): void {
    for (const row of this.ofGroup(id)) this.remove(row);
  }

  /** Returns the rows that `write` upserts. */
  changed(): Row[] {
    return [...this.changes.values()].flatMap(({ row, isDeleted }) => (isDeleted ? [] : [row]));
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

  private set(key: string, row: Row): void {
    this.removeFromGroup(key);
    this.rows.set(key, row);
    const id = this.groupOf(row);
    if (id === undefined) return;
    const group = this.groups.get(id);
    if (group) group.set(key, row);
    else this.groups.set(id, new Map([[key, row]]));
  }

  private removeFromGroup(key: string): void {
    const row = this.rows.get(key);
    const id = row && this.groupOf(row);
    if (id !== undefined) this.groups.get(id)?.delete(key);
  }
}
