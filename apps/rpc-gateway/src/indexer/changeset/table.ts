import { type Queryable } from '@waggle/service';
import { TypeOverrides, types } from 'pg';
import { getMetadataArgsStorage } from 'typeorm';

/** An entity class, whose fields are those of the rows. */
type EntityOf<Row> = new () => Row;

interface Column {
  readonly property: string;
  readonly column: string;
  readonly type: string;
  readonly isKey: boolean;
}

/** Reads `int8` columns as `bigint`, without loss of precision. */
const exactTypes = new TypeOverrides();
exactTypes.setTypeParser(types.builtins.INT8, BigInt);

/** Reads, upserts and deletes many rows of an entity's table with one statement each. */
export class Table<Row extends object> {
  readonly name: string;
  private readonly columns: readonly Column[];
  private readonly key: readonly Column[];
  private readonly selected: string;
  private readonly upsertText: string;
  private readonly deleteText: string;

  constructor(entity: EntityOf<Row>) {
    const storage = getMetadataArgsStorage();
    this.name = String(storage.filterTables(entity)[0]?.name);
    this.columns = storage.filterColumns(entity).map(({ propertyName, options }) => ({
      property: propertyName,
      column: options.name ?? propertyName,
      type: String(options.type ?? 'int'),
      isKey: options.primary === true,
    }));
    this.key = this.columns.filter(({ isKey }) => isKey);
    this.selected = this.columns.map(({ property, column }) => `t.${column} AS "${property}"`).join(', ');
    this.upsertText = this.upsertStatement();
    this.deleteText = this.deleteStatement();
  }

  /** The primary key as a text. */
  keyOf(row: Row): string {
    return this.key.map(({ property }) => String(Reflect.get(row, property))).join(' ');
  }

  /**
   * @param label distinguishes this statement from others of the table
   * @param from the rest of the statement after `SELECT … FROM <table> t`
   */
  async find(client: Queryable, label: string, from: string, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await client.query<Row>({
      name: `${this.name}-${label}`,
      text: `SELECT ${this.selected} FROM ${this.name} t ${from}`,
      values: [...values],
      types: exactTypes,
    });
    return rows;
  }

  /** Inserts new rows and updates existing ones. */
  async upsert(client: Queryable, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const values = valuesOf(this.columns, rows);
    await client.query({ name: `${this.name}-write`, text: this.upsertText, values });
  }

  /** Deletes the rows with the keys of these. */
  async delete(client: Queryable, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const values = valuesOf(this.key, rows);
    await client.query({ name: `${this.name}-delete`, text: this.deleteText, values });
  }

  private upsertStatement(): string {
    const rest = this.columns.filter(({ isKey }) => !isKey);
    const changes = rest.map(({ column }) => `${column} = excluded.${column}`).join(', ');
    return `
      INSERT INTO ${this.name} (${namesOf(this.columns)}) SELECT * FROM unnest(${arraysOf(this.columns)})
      ON CONFLICT (${namesOf(this.key)}) DO ${rest.length === 0 ? 'NOTHING' : `UPDATE SET ${changes}`}`;
  }

  private deleteStatement(): string {
    const sameKey = this.key.map(({ column }) => `t.${column} = deleted.${column}`).join(' AND ');
    return `
      DELETE FROM ${this.name} t USING unnest(${arraysOf(this.key)}) deleted (${namesOf(this.key)}) WHERE ${sameKey}`;
  }
}

function namesOf(columns: readonly Column[]): string {
  return columns.map(({ column }) => column).join(', ');
}

function arraysOf(columns: readonly Column[]): string {
  return columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
}

function valuesOf(columns: readonly Column[], rows: readonly object[]): unknown[][] {
  return columns.map(({ property }) => rows.map((row): unknown => Reflect.get(row, property)));
}
