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

/** An exception of hived's library fc: its code, its name, and the text that begins each message. */
interface Exception {
  readonly code: number;
  readonly name: string;
  readonly message: string;
}

const assertException: Exception = { code: 10, name: 'assert_exception', message: 'Assert Exception' };
const badCastException: Exception = { code: 7, name: 'bad_cast_exception', message: 'Bad Cast' };

// The exceptions of transactions, from hived's protocol/exceptions.hpp and database_exceptions.hpp.

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

/** An error with the `data` that hived adds: the exception, and a stack whose first frame has the format with its placeholders (`${…}`). */
function exceptionError(
  code: number,
  exception: Exception,
  format: string,
  values: Readonly<Record<string, unknown>>,
): NodeError {
  const text = format.replace(/\$\{(\w+)\}/g, (placeholder, key: string) =>
    key in values ? String(values[key]) : placeholder,
  );
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
  return exceptionError(rpcCode.duringCall, assertException, `${condition}: ${format}`, values);
}

/** A method name without an API, an unknown API or method, or malformed parameters of `call`. */
export function unknownCall(
  condition: string,
  format: string,
  values: Readonly<Record<string, unknown>> = {},
): NodeError {
  return exceptionError(rpcCode.parseParams, assertException, `${condition}: ${format}`, values);
}

/** A value that cannot be converted to the expected type. */
export function badCast(format: string, values: Readonly<Record<string, unknown>> = {}): NodeError {
  return exceptionError(rpcCode.serverError, badCastException, format, values);
}

/**
 * A transaction without the signatures of an account's authority.
 *
 * @param authorities the authorities that were checked, by role
 */
export function missingAuthority(
  role: keyof typeof missingAuthorityExceptions,
  account: string,
  authorities: object,
): NodeError {
  const title = `${role.charAt(0).toUpperCase()}${role.slice(1)}`;
  return exceptionError(rpcCode.serverError, missingAuthorityExceptions[role], `Missing ${title} Authority \${id}`, {
    id: account,
    ...authorities,
  });
}

export function signedTwice(): NodeError {
  return exceptionError(rpcCode.serverError, duplicateSignature, 'Duplicate Signature detected', {});
}

export function badExpiration(condition: string, values: Readonly<Record<string, unknown>>): NodeError {
  return exceptionError(rpcCode.serverError, expirationException, `${condition}: `, values);
}

export function wrongReferenceBlock(values: Readonly<Record<string, unknown>>): NodeError {
  const condition = 'trx.ref_block_prefix == tapos_block_summary.block_id._hash[1]';
  return exceptionError(rpcCode.serverError, taposException, `${condition}: `, values);
}
