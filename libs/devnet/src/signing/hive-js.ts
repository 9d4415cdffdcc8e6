import { memberOf, partOfHiveJs } from './part-of-hive-js';
import { publicKeyBytes } from '../keys';

interface Serializer {
  toBuffer(value: object): Buffer;
}

/** The parts of hive-js that act as a client. `api.setOptions` sets the node. */
export interface HiveJs {
  readonly api: {
    setOptions(options: { url: string }): void;
    callAsync(method: string, params: unknown): Promise<unknown>;
    getAccountsAsync(names: readonly string[]): Promise<unknown>;
    getDynamicGlobalPropertiesAsync(): Promise<unknown>;
  };
  readonly auth: {
    /** WIF of each role, and its public key under `<role>Pubkey`. */
    getPrivateKeys(name: string, password: string, roles?: readonly string[]): Record<string, string>;
  };
  readonly broadcast: {
    /** Fills in reference block and expiration, signs and broadcasts. */
    sendAsync(
      transaction: { operations: unknown[]; extensions: unknown[] },
      wifs: Record<string, string>,
    ): Promise<unknown>;
  };
}

const transactionSerializer = partOfHiveJs('@hiveio/hive-js/lib/auth/serializer', isSerializer, ['ops', 'transaction']);

/**
 * The bytes of a transaction that Hive hashes and signs: without its signatures, operations in condenser_api's form.
 * @throws Error if a field is missing or of the wrong type.
 */
export function serializeTransaction(transaction: object): Buffer {
  return transactionSerializer.toBuffer(withDecodedKeys(transaction));
}

/** The whole of hive-js, as clients load it. */
export function loadHiveJs(): HiveJs {
  return partOfHiveJs('@hiveio/hive-js', isHiveJs);
}

/**
 * Replaces the keys of authorities and the memo key by decoded ones. hive-js would decode the text itself, which takes
 * 2 ms for each key, and 22 ms under Jest: a second for the first block of the chain.
 */
function withDecodedKeys(value: object): object {
  const decoded = (key: unknown): unknown => (typeof key === 'string' ? new DecodedKey(key) : key);
  if (Array.isArray(value)) return value.map((item: unknown) => (isObject(item) ? withDecodedKeys(item) : item));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => {
      if (name === 'memo_key') return [name, decoded(field)];
      if (name === 'key_auths' && Array.isArray(field)) {
        return [name, field.map((entry: unknown) => (Array.isArray(entry) ? [decoded(entry[0]), entry[1]] : entry))];
      }
      return [name, isObject(field) ? withDecodedKeys(field) : field];
    }),
  );
}

/** The members of a decoded public key that hive-js uses. */
class DecodedKey {
  readonly Q = true;

  constructor(private readonly text: string) {}

  toBuffer(): Buffer {
    return publicKeyBytes(this.text);
  }

  toString(): string {
    return this.text;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isSerializer(value: unknown): value is Serializer {
  return typeof memberOf(value, 'toBuffer') === 'function';
}

function isHiveJs(value: unknown): value is HiveJs {
  const members = [
    ['api', 'setOptions'],
    ['api', 'callAsync'],
    ['api', 'getAccountsAsync'],
    ['api', 'getDynamicGlobalPropertiesAsync'],
    ['auth', 'getPrivateKeys'],
    ['broadcast', 'sendAsync'],
  ] as const;
  return members.every(([part, method]) => typeof memberOf(memberOf(value, part), method) === 'function');
}
