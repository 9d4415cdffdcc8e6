import {
  columnTypes,
  type ColumnTypes,
  type EntityClass,
  type EntityColumn,
  entityColumns,
  type Queryable,
  sql,
  type SqlType,
  type SqlTypes,
  Statement,
  tableName,
  type ValuesOf,
} from '@waggle/service';
import { TypeOverrides, types } from 'pg';

/** The types of parameters that are arrays, by property; the elements are known only at run time. */
type ArrayTypes = Readonly<Record<string, SqlType<readonly unknown[], unknown[]>>>;

/** Reads `int8` columns, and `numeric` ones, which hold whole numbers, as `bigint`, without loss of precision. */
const exactTypes = new TypeOverrides();
exactTypes.setTypeParser(types.builtins.INT8, BigInt);
exactTypes.setTypeParser(types.builtins.NUMERIC, BigInt);

/** Executes a `select` of a table with the values of its parameters. */
export type RowQuery<Row, Parameters extends SqlTypes> = (
  client: Queryable,
  values: ValuesOf<Parameters>,
) => Promise<Row[]>;

/**
 * Reads, upserts and deletes many rows of an entity's table, each with one statement. Create tables, and call `select`,
 * while modules load: `tables.test.ts` compares all their statements with the schema.
 */
export class Table<Row extends object> {
  /** The types of its columns, for other statements. */
  readonly types: ColumnTypes<Row>;
  private readonly name: string;
  private readonly columns: readonly EntityColumn[];
  private readonly key: readonly EntityColumn[];
  private readonly selectByKeys: RowQuery<Row, ArrayTypes>;
  private readonly upsertStatement: Statement<ArrayTypes, SqlTypes>;
  private readonly deleteStatement: Statement<ArrayTypes, SqlTypes>;

  constructor(entity: EntityClass<Row>) {
    this.types = columnTypes(entity);
    this.name = tableName(entity);
    this.columns = entityColumns(entity);
    this.key = this.columns.filter(({ isKey }) => isKey);
    this.selectByKeys = this.select('by-key', this.byKeyText(), arrayTypesOf(this.key));
    this.upsertStatement = new Statement({
      name: `${this.name}-upsert`,
      text: this.upsertText(),
      parameters: arrayTypesOf(this.columns),
      columns: {},
    });
    this.deleteStatement = new Statement({
      name: `${this.name}-delete`,
      text: this.deleteText(),
      parameters: arrayTypesOf(this.key),
      columns: {},
    });
  }

  /**
   * The values of the primary key, joined by spaces. Unambiguous because keys are numbers and tags, which have none;
   * `Rows.find` joins them likewise.
   */
  keyOf(row: Row): string {
    return this.key.map(({ property }) => String(Reflect.get(row, property))).join(' ');
  }

  /**
   * Declares a statement that reads rows. Call it while the module loads.
   *
   * @param label distinguishes this statement from others of the table
   * @param from the rest of the statement after `SELECT … FROM <table> t`
   */
  select<Parameters extends SqlTypes>(label: string, from: string, parameters: Parameters): RowQuery<Row, Parameters> {
    const selected = this.columns.map(({ property, name }) => `t.${name} AS "${property}"`).join(', ');
    const statement = new Statement({
      name: `${this.name}-${label}`,
      text: `SELECT ${selected} FROM ${this.name} t ${from}`,
      parameters,
      columns: Object.fromEntries(this.columns.map(({ property, sqlType }) => [property, sqlType])),
    });
    return async (client, values) => {
      const { rows } = await client.query<Row>({ ...statement.bind(values), types: exactTypes });
      return rows;
    };
  }

  /** Reads the stored rows that have the primary keys of `keys`. @throws Error if a part of a key is missing */
  async find(client: Queryable, keys: readonly Partial<Row>[]): Promise<Row[]> {
    const isIncomplete = keys.some((key) => this.key.some(({ property }) => Reflect.get(key, property) === undefined));
    if (isIncomplete) throw new Error(`an incomplete key of ${this.name}`);
    return keys.length === 0 ? [] : await this.selectByKeys(client, valuesOf(this.key, keys));
  }

  /** Inserts new rows and updates existing ones. */
  async upsert(client: Queryable, rows: readonly Row[]): Promise<void> {
    if (rows.length > 0) await this.upsertStatement.execute(client, valuesOf(this.columns, rows));
  }

  /** Deletes the stored rows that have the primary keys of `rows`. */
  async delete(client: Queryable, rows: readonly Partial<Row>[]): Promise<void> {
    if (rows.length > 0) await this.deleteStatement.execute(client, valuesOf(this.key, rows));
  }

  private upsertText(): string {
    const rest = this.columns.filter(({ isKey }) => !isKey);
    const changes = rest.map(({ name }) => `${name} = excluded.${name}`).join(', ');
    return `
      INSERT INTO ${this.name} (${namesOf(this.columns)}) SELECT * FROM unnest(${arraysOf(this.columns)})
      ON CONFLICT (${namesOf(this.key)}) DO ${rest.length === 0 ? 'NOTHING' : `UPDATE SET ${changes}`}`;
  }

  private deleteText(): string {
    return `
      DELETE FROM ${this.name} t USING unnest(${arraysOf(this.key)}) deleted (${namesOf(this.key)})
      WHERE ${this.sameKey('deleted')}`;
  }

  /** The `from` of the statement that reads rows by their keys. A key of one column needs no join. */
  private byKeyText(): string {
    const arrays = arraysOf(this.key);
    const [first, ...others] = this.key;
    return first !== undefined && others.length === 0
      ? `WHERE t.${first.name} = ANY (${arrays})`
      : `JOIN unnest(${arrays}) p (${namesOf(this.key)}) ON ${this.sameKey('p')}`;
  }

  private sameKey(keys: string): string {
    return this.key.map(({ name }) => `${keys}.${name} = t.${name}`).join(' AND ');
  }
}

function namesOf(columns: readonly EntityColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}

function arraysOf(columns: readonly EntityColumn[]): string {
  return columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
}

function arrayTypesOf(columns: readonly EntityColumn[]): ArrayTypes {
  return Object.fromEntries(columns.map(({ property, sqlType }) => [property, sql.arrayOf(sqlType)]));
}

/** An array of the values of each column. */
function valuesOf(columns: readonly EntityColumn[], rows: readonly object[]): Record<string, unknown[]> {
  return Object.fromEntries(
    columns.map(({ property }) => [property, rows.map((row): unknown => Reflect.get(row, property))]),
  );
}
