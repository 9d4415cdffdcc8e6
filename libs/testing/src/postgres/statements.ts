import { type Client } from 'pg';
import { type DescribedColumn, describeStatement } from './describe-statement';
import { withDatabase } from './with-database';

/** The declared type of a parameter or column. */
interface DeclaredType {
  /** As in `pg_type.typname`. */
  readonly typeName: string;
  /** `asserted`: the author declares that it is not null. */
  readonly nullability: 'proven' | 'nullable' | 'asserted';
}

/** The declaration of a statement; parameters in the order of `$1`, `$2` … */
export interface DeclaredStatement {
  readonly name: string;
  readonly text: string;
  readonly parameters: Readonly<Record<string, DeclaredType>>;
  readonly columns: Readonly<Record<string, DeclaredType>>;
}

/** Names of types, and the columns that are NOT NULL as `table.column` by their oid and number. */
interface Catalog {
  readonly typeNames: ReadonlyMap<number, string>;
  readonly notNull: ReadonlySet<string>;
}

/** These return nulls, or rows of another time, for columns that are NOT NULL in their table. */
const addsNulls =
  /\b(left|right|full)\s+(outer\s+)?join\b|\b(rollup|cube|grouping\s+sets)\b|\b(old|new)\.|\breturning\s+with\b/i;

/**
 * Compares statements with a migrated schema by having PostgreSQL parse and describe each of them.
 *
 * @returns a line for each difference; also if there is no statement, or one name for two of them
 */
export async function differencesFromSchema(url: string, statements: readonly DeclaredStatement[]): Promise<string[]> {
  if (statements.length === 0) return ['no statement is declared'];
  return await withDatabase(url, async (client) => {
    const catalog = await readCatalog(client);
    const differences = repeatedNames(statements);
    for (const statement of statements) {
      const found = await differencesOf(client, statement, catalog);
      differences.push(...found.map((difference) => `${statement.name}: ${difference}`));
    }
    return differences;
  });
}

async function readCatalog(client: Client): Promise<Catalog> {
  const types = await client.query<{ oid: number; typname: string }>('SELECT oid, typname FROM pg_type');
  const columns = await client.query<{ id: string }>(
    `SELECT attrelid || '.' || attnum AS id FROM pg_attribute WHERE attnotnull AND NOT attisdropped`,
  );
  return {
    typeNames: new Map(types.rows.map(({ oid, typname }) => [oid, typname])),
    notNull: new Set(columns.rows.map(({ id }) => id)),
  };
}

function repeatedNames(statements: readonly DeclaredStatement[]): string[] {
  const names = statements.map(({ name }) => name);
  return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name}: the name is taken`);
}

async function differencesOf(client: Client, statement: DeclaredStatement, catalog: Catalog): Promise<string[]> {
  try {
    const { parameterTypes, columns } = await describeStatement(client, statement.text);
    const actualTypes = parameterTypes.map((oid) => catalog.typeNames.get(oid));
    return [
      ...differencesOfParameters(Object.entries(statement.parameters), actualTypes),
      ...differencesOfColumns(statement, columns, catalog),
    ];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function differencesOfParameters(
  declared: readonly [string, DeclaredType][],
  actual: readonly (string | undefined)[],
): string[] {
  if (declared.length !== actual.length) return [`${declared.length} parameters declared, ${actual.length} used`];
  return declared.flatMap(([name, { typeName }], index) =>
    typeName === actual[index] ? [] : [`$${index + 1} is ${actual[index]}, but ${name} is declared as ${typeName}`],
  );
}

function differencesOfColumns(
  { text, columns: declared }: DeclaredStatement,
  actual: readonly DescribedColumn[],
  { typeNames, notNull }: Catalog,
): string[] {
  const differences = Object.keys(declared)
    .filter((name) => !actual.some((column) => column.name === name))
    .map((name) => `${name} is declared, but not returned`);
  for (const [index, { name, dataTypeID, tableID, columnID }] of actual.entries()) {
    const declaration = declared[name];
    if (declaration === undefined) {
      differences.push(`${name} is returned, but not declared`);
      continue;
    }
    if (actual.findIndex((column) => column.name === name) !== index) differences.push(`${name} is returned twice`);
    const typeName = typeNames.get(dataTypeID);
    if (typeName !== declaration.typeName) {
      differences.push(`${name} is ${typeName}, but declared as ${declaration.typeName}`);
    }
    const isProven = notNull.has(`${tableID}.${columnID}`) && !addsNulls.test(text);
    if (isProven && declaration.nullability === 'nullable') differences.push(`${name} is never null`);
    if (!isProven && declaration.nullability === 'proven') {
      differences.push(`${name} may be null: declare it as nullable, or as notNull if the statement rules that out`);
    }
  }
  return differences;
}
