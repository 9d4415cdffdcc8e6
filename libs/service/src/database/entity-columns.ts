import { DefaultNamingStrategy, getMetadataArgsStorage } from 'typeorm';
import { type AnySqlType, type SqlType } from './sql-types';

/** Names a column like its property, in snake case. */
export class SnakeCaseColumns extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string): string {
    return customName || propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

const naming = new SnakeCaseColumns();

/** `pg_type.typname` by the entity's name of the type. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['bigint', 'int8'],
  ['boolean', 'bool'],
  ['bytea', 'bytea'],
  ['double precision', 'float8'],
  ['int', 'int4'],
  ['jsonb', 'jsonb'],
  ['numeric', 'numeric'],
  ['real', 'float4'],
  ['smallint', 'int2'],
  ['text', 'text'],
  ['timestamptz', 'timestamptz'],
  ['uuid', 'uuid'],
]);

/** The class of an entity. */
export type EntityClass<Entity extends object> = new () => Entity;

/** A column as its entity declares it. */
export interface EntityColumn {
  readonly property: string;
  readonly name: string;
  /** As the entity names it, such as `bigint`, for casts. */
  readonly type: string;
  readonly sqlType: SqlType<unknown, unknown>;
  readonly isKey: boolean;
}

/** Returns the name of an entity's table. */
export function tableName(entity: EntityClass<object>): string {
  const name = getMetadataArgsStorage().filterTables(entity)[0]?.name;
  if (name === undefined) throw new Error(`${entity.name} has no table`);
  return name;
}

/** Returns the columns of an entity in the order of its properties. */
export function entityColumns(entity: EntityClass<object>): EntityColumn[] {
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName, options }) => {
      const type = String(options.type);
      const typeName = typeNames.get(type);
      if (typeName === undefined) throw new Error(`${entity.name}.${propertyName} has the unknown type ${type}`);
      return {
        property: propertyName,
        name: naming.columnName(propertyName, options.name ?? ''),
        type,
        sqlType: {
          typeName: options.array === true ? `_${typeName}` : typeName,
          nullability: options.nullable === true ? 'nullable' : 'proven',
        },
        isKey: options.primary === true,
      };
    });
}

type Scalar = string | number | bigint | boolean | Date | Uint8Array;

/** What a parameter for a column takes. */
type InputOf<Value> = Value extends null | string | number | boolean | Date
  ? Value
  : Value extends bigint
    ? number | bigint | string
    : Value extends Uint8Array
      ? Uint8Array
      : Value extends readonly (infer Element extends Scalar)[]
        ? readonly InputOf<Element>[]
        : // The document of a jsonb column.
          string;

/** What a row has. */
type OutputOf<Value> = Value extends bigint
  ? string
  : Value extends readonly (infer Element extends Scalar)[]
    ? OutputOf<Element>[]
    : Value;

/** The types of the columns, by property. */
export type ColumnTypes<Entity extends object> = {
  readonly [Property in keyof Entity]: SqlType<InputOf<Entity[Property]>, OutputOf<Entity[Property]>>;
};

/**
 * Returns the types of an entity's columns, for parameters and columns of statements. The lint rule `entity-columns`
 * compares the decorators with the types of the properties, and the tests of each service with the migrated schema.
 */
export function columnTypes<Entity extends object>(entity: EntityClass<Entity>): ColumnTypes<Entity>;
export function columnTypes(entity: EntityClass<object>): Readonly<Record<string, AnySqlType>> {
  return Object.fromEntries(entityColumns(entity).map(({ property, sqlType }) => [property, sqlType]));
}
