/** Whether a column may be null, and how that is known. */
export type Nullability =
  /** Not null by the catalog: a NOT NULL column that no outer join extends. */
  | 'proven'
  /** May be null. */
  | 'nullable'
  /** Declared as not null by the author although the catalog does not prove it: `Statement` checks every row. */
  | 'asserted';

/** A PostgreSQL type, with the JavaScript types that node-postgres takes as a parameter and returns in a row. */
export interface SqlType<in Input, out Output> {
  /** As in `pg_type.typname`: `int8`, and `_int8` for its array. */
  readonly typeName: string;
  readonly nullability: Nullability;
  /** Carries the JavaScript types; never present. */
  readonly convert?: (value: Input) => Output;
}

/** Any type, of a parameter or a column. */
export type AnySqlType = SqlType<never, unknown>;

const type = <Input, Output = Input>(typeName: string): SqlType<Input, Output> => ({ typeName, nullability: 'proven' });

export const bool = type<boolean>('bool');
export const int4 = type<number>('int4');
/** A string in rows, since a number cannot represent every value. */
export const int8 = type<number | bigint | string, string>('int8');
/** An exact decimal string in rows. */
export const numeric = type<number | bigint | string, string>('numeric');
export const float8 = type<number>('float8');
export const text = type<string>('text');
export const bytea = type<Uint8Array, Buffer>('bytea');
/** In milliseconds: node-postgres drops the microseconds. */
export const timestamptz = type<Date>('timestamptz');

/** A parameter is JSON text. Rows have the parsed document, whose type is not checked. */
export function jsonb<Document>(): SqlType<string, Document> {
  return type('jsonb');
}

/** A parameter that takes null, or a column that is null in some rows. */
export function nullable<Input, Output>({ typeName }: SqlType<Input, Output>): SqlType<Input | null, Output | null> {
  return { typeName, nullability: 'nullable' };
}

/**
 * A column that is never null although the catalog does not prove it: an expression, or a row that is always joined. Or
 * a parameter for a column that may be null, which does not take null.
 */
export function notNull<Input, Output>({
  typeName,
}: SqlType<Input, Output>): SqlType<NonNullable<Input>, NonNullable<Output>> {
  return { typeName, nullability: 'asserted' };
}

/** An array; of `nullable(…)` if elements may be null, which PostgreSQL does not report. */
export function arrayOf<Input, Output>(element: SqlType<Input, Output>): SqlType<readonly Input[], Output[]> {
  return { typeName: `_${element.typeName}`, nullability: 'proven' };
}
