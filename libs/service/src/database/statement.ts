import { type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { type AnySqlType, type SqlType } from './sql-types';

/** SQL types by name: the parameters of a statement, in the order of `$1`, `$2` …, or its columns. */
export type SqlTypes = Readonly<Record<string, AnySqlType>>;

/** The JavaScript values of the parameters. */
export type ValuesOf<Parameters extends SqlTypes> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends SqlType<infer Input, unknown> ? Input : never;
};

/** A row of the columns. */
export type RowOf<Columns extends SqlTypes> = {
  [Name in keyof Columns]: Columns[Name] extends SqlType<never, infer Output> ? Output : never;
};

/** A row of a statement: `RowIn<typeof findSession>`. */
export type RowIn<AStatement extends { find: (...values: never) => unknown }> = NonNullable<
  Awaited<ReturnType<AStatement['find']>>
>;

/**
 * Whether an outer join found a row. Otherwise all joined columns are null.
 * @param joinedColumns columns of the joined table that are never null in it
 * @throws Error if some of them are null and others are not, or if there are none
 */
export function isJoined<Row extends object, Name extends string & keyof Row>(
  row: Row,
  joinedColumns: readonly Name[],
): row is Row & { [N in Name]: NonNullable<Row[N]> } {
  if (joinedColumns.length === 0) throw new Error('isJoined needs at least one joined column');
  const missing = joinedColumns.filter((name) => row[name] === null);
  if (missing.length > 0 && missing.length < joinedColumns.length)
    throw new Error(`an outer join returned null for only some columns: ${missing.join(', ')}`);
  return missing.length === 0;
}

export interface StatementDefinition<Parameters extends SqlTypes, Columns extends SqlTypes> {
  /** Unique in the service: the name under which each connection prepares it. */
  readonly name: string;
  /** SQL with `$1`, `$2` … for the parameters. */
  readonly text: string;
  readonly parameters: Parameters;
  readonly columns: Columns;
  /** False if the best plan depends on the values, so that PostgreSQL has to plan every execution. */
  readonly isPrepared?: false;
}

/** Executes statements: a pool, a client, or an object that selects a connection. */
export interface Executor {
  query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>>;
}

export type DeclaredStatement = StatementDefinition<SqlTypes, SqlTypes>;

const declared: DeclaredStatement[] = [];

/** Returns every statement of the modules that are loaded, for a test that compares them with PostgreSQL. */
export function declaredStatements(): readonly DeclaredStatement[] {
  return declared;
}

/**
 * A SQL statement with the types of its parameters and columns. The types of TypeScript follow from the declaration.
 * To be created at module level: a test of each service compares these declarations with the migrated schema, and sees
 * no others.
 */
export class Statement<Parameters extends SqlTypes, Columns extends SqlTypes> {
  readonly name: string;
  readonly text: string;
  private readonly parameterNames: readonly string[];
  private readonly assertedColumns: readonly string[];
  private readonly isPrepared: boolean;

  constructor(definition: StatementDefinition<Parameters, Columns>) {
    this.name = definition.name;
    this.text = definition.text;
    this.isPrepared = definition.isPrepared ?? true;
    this.parameterNames = Object.keys(definition.parameters);
    this.assertedColumns = Object.entries(definition.columns)
      .filter(([, { nullability }]) => nullability === 'asserted')
      .map(([name]) => name);
    declared.push(definition);
  }

  /** Executes the statement. @throws Error if a column is null that is declared as `notNull` */
  async query(executor: Executor, values: ValuesOf<Parameters>): Promise<RowOf<Columns>[]> {
    const { rows } = await executor.query<RowOf<Columns>>(this.bind(values));
    for (const name of this.assertedColumns) {
      if (rows.some((row) => row[name] === null)) throw new Error(`${this.name}: ${name} is null`);
    }
    return rows;
  }

  /** Executes the statement. @returns the first row; undefined if there is none */
  async find(executor: Executor, values: ValuesOf<Parameters>): Promise<RowOf<Columns> | undefined> {
    return (await this.query(executor, values))[0];
  }

  /** Executes the statement. @returns the number of rows that it inserted, updated, deleted or selected */
  async execute(executor: Executor, values: ValuesOf<Parameters>): Promise<number> {
    const { rowCount } = await executor.query(this.bind(values));
    return rowCount ?? 0;
  }

  /** The statement with values, as node-postgres takes it. */
  bind(values: ValuesOf<Parameters>): QueryConfig {
    const { text } = this;
    const bound = { text, values: this.parameterNames.map((name) => values[name]) };
    return this.isPrepared ? { ...bound, name: this.name } : bound;
  }
}
