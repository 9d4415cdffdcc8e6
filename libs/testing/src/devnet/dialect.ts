import { Asset } from './assets';

/** How an API writes assets and operations: condenser_api keeps the older form, all others the newer one. */
export type Dialect = 'legacy' | 'appbase';

/** What the chain did, whether a transaction asked for it or it followed from one. */
export interface NamedOperation {
  /** For example `transfer`. */
  readonly name: string;
  /** Fields in the order of the protocol; amounts are `Asset`s. */
  readonly value: object;
}

/** An operation: `["transfer", {…}]`, or `{type: "transfer_operation", value: {…}}`. */
export function writeOperation(operation: NamedOperation, dialect: Dialect): unknown {
  const value = write(operation.value, dialect);
  return dialect === 'legacy' ? [operation.name, value] : { type: `${operation.name}_operation`, value };
}

/** Any value for JSON, each `Asset` in it in the form of the dialect. */
export function write(value: unknown, dialect: Dialect): unknown {
  if (value instanceof Asset) return dialect === 'legacy' ? value.legacy() : value.appbase();
  if (Array.isArray(value)) return value.map((item) => write(item, dialect));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, write(item, dialect)]));
  }
  return value;
}
