import { type Role } from './keys';
import { hiveTime } from './time';

/** Codes of the JSON-RPC plugin of hived (json_rpc_plugin.hpp). */
export const rpcCode = {
  serverError: -32000,
  noParams: -32001,
  parseParams: -32002,
  duringCall: -32003,
  invalidRequest: -32600,
} as const;

/** An exception of hived's library fc: its number, its name and the text that opens each message. */
interface Exception {
  readonly code: number;
  readonly name: string;
  readonly message: string;
}

const assertException: Exception = { code: 10, name: 'assert_exception', message: 'Assert Exception' };
const badCastException: Exception = { code: 7, name: 'bad_cast_exception', message: 'Bad Cast' };

/** Numbers and texts of the exceptions of a transaction, from hived's protocol/exceptions.hpp and database_exceptions.hpp. */
const missingAuthorityExceptions: Record<Exclude<Role, 'memo'>, Exception> = {
  active: { code: 3010000, name: 'tx_missing_active_auth', message: 'missing required active authority' },
  owner: { code: 3020000, name: 'tx_missing_owner_auth', message: 'missing required owner authority' },
  posting: { code: 3030000, name: 'tx_missing_posting_auth', message: 'missing required posting authority' },
};
const duplicateSignature: Exception = {
  code: 3060000,
  name: 'tx_duplicate_sig',
  message: 'duplicate signature included',
};
const expirationException: Exception = {
  code: 4030100,
  name: 'transaction_expiration_exception',
  message: 'transaction expiration exception',
};
const taposException: Exception = {
  code: 4030200,
  name: 'transaction_tapos_exception',
  message: 'transaction tapos exception',
};

/** An error response of a node: `{code, message, data?}` of the JSON-RPC error object. */
export class NodeError extends Error {
  override readonly name = 'NodeError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: object,
  ) {
    super(message);
  }

  /** The error as it is sent. */
  toJSON(): unknown {
    return { code: this.code, message: this.message, ...(this.data && { data: this.data }) };
  }
}

/** An error with the `data` that hived adds: the exception, and a stack whose first frame has the text with `${…}` still open. */
function thrown(
  code: number,
  exception: Exception,
  format: string,
  values: Readonly<Record<string, unknown>>,
): NodeError {
  const text = format.replace(/\$\{(\w+)\}/g, (open, key: string) => (key in values ? String(values[key]) : open));
  const context = {
    level: 'error',
    file: 'devnet',
    line: 0,
    method: '',
    hostname: '',
    timestamp: hiveTime(Date.now() / 1000),
  };
  return new NodeError(code, `${exception.message}:${text}`, {
    ...exception,
    stack: [{ context, format, data: values }],
  });
}

/** A failed condition, as hived's FC_ASSERT reports it. */
export function assertion(condition: string, format = '', values: Readonly<Record<string, unknown>> = {}): NodeError {
  return thrown(rpcCode.duringCall, assertException, `${condition}: ${format}`, values);
}

/** A call without a method, or of one that does not exist. */
export function unknownCall(
  condition: string,
  format: string,
  values: Readonly<Record<string, unknown>> = {},
): NodeError {
  return thrown(rpcCode.parseParams, assertException, `${condition}: ${format}`, values);
}

/** JSON of another type than the one that is read. */
export function badCast(format: string, values: Readonly<Record<string, unknown>> = {}): NodeError {
  return thrown(rpcCode.serverError, badCastException, format, values);
}

/** @param authorities the authorities that were checked, by role. */
export function missingAuthority(
  role: keyof typeof missingAuthorityExceptions,
  account: string,
  authorities: object,
): NodeError {
  const title = `${role.charAt(0).toUpperCase()}${role.slice(1)}`;
  return thrown(rpcCode.serverError, missingAuthorityExceptions[role], `Missing ${title} Authority \${id}`, {
    id: account,
    ...authorities,
  });
}

export function signedTwice(): NodeError {
  return thrown(rpcCode.serverError, duplicateSignature, 'Duplicate Signature detected', {});
}

export function badExpiration(condition: string, values: Readonly<Record<string, unknown>>): NodeError {
  return thrown(rpcCode.serverError, expirationException, `${condition}: `, values);
}

export function wrongReferenceBlock(values: Readonly<Record<string, unknown>>): NodeError {
  const condition = 'trx.ref_block_prefix == tapos_block_summary.block_id._hash[1]';
  return thrown(rpcCode.serverError, taposException, `${condition}: `, values);
}
