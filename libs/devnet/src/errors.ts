import { createHash } from 'node:crypto';
import { type Role } from './keys';
import { type NodeSoftware } from './software';
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

const unspecified: Exception = { code: 0, name: 'exception', message: 'unspecified' };

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

type Values = Readonly<Record<string, unknown>>;

/** A message of an exception: a text with placeholders (`${…}`), and their values. */
interface Frame {
  readonly format: string;
  readonly values: Values;
}

type ErrorForm = Pick<NodeSoftware, 'hasAssertionExtension'>;

/** An error response of a node: `{code, message, data?}` of the JSON-RPC error object. */
export class NodeError extends Error {
  override readonly name = 'NodeError';

  constructor(
    readonly code: number,
    message: string,
    private readonly data?: object | string,
  ) {
    super(message);
  }

  /** The error as a node with this software sends it. */
  from(software: ErrorForm): unknown {
    const data = this.dataOf(software);
    return { code: this.code, message: this.message, ...(data && { data }) };
  }

  /** The error as HAfAH sends it. */
  withoutStack(): NodeError {
    return new NodeError(this.code, this.message, this.data);
  }

  /** The error as current hived sends it. */
  toJSON(): unknown {
    return this.from({ hasAssertionExtension: true });
  }

  protected readonly dataOf: (software: ErrorForm) => object | string | undefined = () => this.data;
}

/** An error with the `data` that hived adds: the exception and its stack of messages. */
class ExceptionError extends NodeError {
  /** @param expression the condition that failed, of an assertion. */
  constructor(
    code: number,
    private readonly exception: Exception,
    private readonly frames: readonly Frame[],
    private readonly expression?: string,
  ) {
    const condition = expression === undefined ? '' : `${expression}: `;
    super(code, `${exception.message}:${condition}${frames.map(textOf).join('')}`);
  }

  protected override readonly dataOf = ({ hasAssertionExtension }: ErrorForm): object => {
    const { exception, expression } = this;
    const stack = this.frames.map(({ format, values }) => ({ context: frameContext(), format, data: values }));
    const [first, ...others] = stack;
    if (expression === undefined || first === undefined) return { ...exception, stack };
    if (!hasAssertionExtension) {
      return { ...exception, stack: [{ ...first, format: `${expression}: ${first.format}` }, ...others] };
    }
    const assert_hash = assertHash(`${expression}${first.format}`);
    return { ...exception, stack, extension: { assertion_expression: expression }, assert_hash };
  };
}

/** A transaction without the signatures of an account's authority. */
export class MissingAuthority extends ExceptionError {
  constructor(
    private readonly role: keyof typeof missingAuthorityExceptions,
    private readonly first: Frame,
    others: readonly Frame[] = [],
  ) {
    super(rpcCode.serverError, missingAuthorityExceptions[role], [first, ...others]);
  }

  /** The same error with one more message. */
  followedBy(format: string): MissingAuthority {
    return new MissingAuthority(this.role, this.first, [{ format, values: {} }]);
  }
}

function textOf({ format, values }: Frame): string {
  return format.replace(/\$\{(\w+)\}/g, (placeholder, key: string) =>
    key in values ? String(values[key]) : placeholder,
  );
}

function frameContext(): object {
  return {
    level: 'error',
    file: 'devnet',
    line: 0,
    method: '',
    hostname: '',
    thread_name: 'devnet',
    timestamp: hiveTime(Date.now() / 1000),
  };
}

/** 64 bits as a decimal text, like hived's, which hashes in another way. */
function assertHash(text: string): string {
  return String(createHash('sha256').update(text).digest().readBigUInt64BE());
}

/** A failed condition, as hived's FC_ASSERT reports it. */
export function assertion(condition: string, format = '', values: Values = {}): NodeError {
  return new ExceptionError(rpcCode.duringCall, assertException, [{ format, values }], condition);
}

/** A method name without an API, an unknown API or method, or malformed parameters of `call`. */
export function unknownCall(condition: string, format: string, values: Values = {}): NodeError {
  return new ExceptionError(rpcCode.parseParams, assertException, [{ format, values }], condition);
}

/** A value that cannot be converted to the expected type. */
export function badCast(format: string, values: Values = {}): NodeError {
  return new ExceptionError(rpcCode.serverError, badCastException, [{ format, values }]);
}

/** A text that is not in hex. */
export function invalidHex(character: string): NodeError {
  const frame = { format: "Invalid hex character '${c}'", values: { c: character } };
  return new ExceptionError(rpcCode.serverError, unspecified, [frame]);
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
  return new MissingAuthority(role, {
    format: `Missing ${title} Authority \${id}`,
    values: { id: account, ...authorities },
  });
}

export function signedTwice(): NodeError {
  const frame = { format: 'Duplicate Signature detected', values: {} };
  return new ExceptionError(rpcCode.serverError, duplicateSignature, [frame]);
}

export function badExpiration(condition: string, values: Values): NodeError {
  return new ExceptionError(rpcCode.serverError, expirationException, [{ format: `${condition}: `, values }]);
}

export function wrongReferenceBlock(values: Values): NodeError {
  const format = 'trx.ref_block_prefix == tapos_block_summary.block_id._hash[1]: ';
  return new ExceptionError(rpcCode.serverError, taposException, [{ format, values }]);
}
