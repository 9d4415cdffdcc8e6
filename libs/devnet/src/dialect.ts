/** How an API writes assets and operations: condenser_api keeps the older form, all others the newer one. */
export type Dialect = 'legacy' | 'appbase';

/** How the bytes of a transaction are written, which its id and its signatures follow from. Only assets differ. */
export type Serialization = 'hf26' | 'legacy';

/** A value that the dialects write differently, such as an amount. */
export interface Bilingual {
  /** As condenser_api writes it, and as hive-js serializes it in the legacy form. */
  legacy(): unknown;
  /** As the appbase APIs write it. */
  appbase(): unknown;
  /** As hive-js serializes it in the form of hardfork 26. */
  hf26(): unknown;
}

/** An operation of a transaction, or a virtual one. */
export interface NamedOperation {
  /** For example `transfer`. */
  readonly name: string;
  /** Fields in the order of the protocol; amounts are `Asset`s, 64-bit numbers bigints. */
  readonly value: object;
}

/** An operation: `["transfer", {…}]`, or `{type: "transfer_operation", value: {…}}`. */
export function writeOperation(operation: NamedOperation, dialect: Dialect): unknown {
  const value = write(operation.value, dialect);
  return dialect === 'legacy' ? [operation.name, value] : { type: `${operation.name}_operation`, value };
}

/** Converts a value for JSON or for hive-js, with each `Bilingual` value in it in the form of the dialect. */
export function write(value: unknown, dialect: Dialect | Serialization): unknown {
  if (typeof value === 'bigint') return value > maxPlainNumber ? String(value) : Number(value);
  if (isBilingual(value)) return value[dialect]();
  if (Array.isArray(value)) return value.map((item) => write(item, dialect));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, write(item, dialect)]));
  }
  return value;
}

/** hived writes larger numbers as strings, in both dialects, and negative ones always as numbers. */
const maxPlainNumber = 0xffffffffn;

function isBilingual(value: unknown): value is Bilingual {
  return typeof value === 'object' && value !== null && 'legacy' in value && 'appbase' in value && 'hf26' in value;
}
