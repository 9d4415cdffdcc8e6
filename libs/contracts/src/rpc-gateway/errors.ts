import { RpcError, rpcErrorCodes } from './rpc-error';

/** The prefix that Hive's social gateways use for errors of a call itself. */
const assertion = 'Assert Exception:';

/** The subject of an assertion, with the `assert_hash` that identifies it in Hive's gateways. */
const assertHashes = {
  account: '1a2b3c4d5e6f7a8b9c0d',
  permlink: '2b3c4d5e6f7a8b9c0d1e',
  call: '3c4d5e6f7a8b9c0d1e2f',
  post: '4d5e6f7a8b9c0d1e2f3a',
  community: '6f7a8b9c0d1e2f3a4b5c',
} as const;

/**
 * Parameters are invalid, or name something that does not exist: `Assert Exception:<text>`, with the `data` that Hive's
 * gateways send. Fields that would describe the server are empty, as in theirs.
 *
 * @param subject `account`, `permlink` or `community` for a malformed name, and `account` for one that does not exist
 */
export function assertionFailed(
  text: string,
  subject: keyof typeof assertHashes = 'call',
  time: Date = new Date(),
): RpcError {
  const timestamp = time.toISOString().slice(0, 19);
  return new RpcError(rpcErrorCodes.invalidParams, `${assertion}${text}`, {
    code: 10,
    name: 'assert_exception',
    message: 'Assert Exception',
    stack: [
      {
        context: { level: 'error', file: '', line: 0, method: '', hostname: '', thread_name: '', timestamp },
        format: '',
        data: { category: 'hivemind' },
      },
    ],
    extension: { assertion_expression: text },
    assert_hash: assertHashes[subject],
  });
}

/** The namespace is in no route and has no local method. */
export function unknownNamespace(namespace: string): RpcError {
  return new RpcError(rpcErrorCodes.methodNotFound, `Api not found ${namespace}`);
}

/** @param method `<namespace>.<query>` of a known namespace */
export function unknownMethod(method: string): RpcError {
  return assertionFailed(`unknown method: ${method}`);
}

/** The body is not JSON. */
export function unparsable(): RpcError {
  return new RpcError(rpcErrorCodes.parseError, 'Parse error');
}

/** `jsonrpc` is not `2.0`. */
export function notJsonRpc2(): RpcError {
  return new RpcError(rpcErrorCodes.invalidRequest, 'Invalid JSON-RPC');
}

/** @param reason how the request violates JSON-RPC, for people */
export function invalidRequest(reason: string): RpcError {
  return new RpcError(rpcErrorCodes.invalidRequest, 'Invalid Request', { reason });
}

/** An unexpected error, which is logged in full and not described to the caller. */
export function internalError(cause: unknown): RpcError {
  return new RpcError(rpcErrorCodes.internalError, 'Internal error', undefined, { cause });
}

/** This response would exceed the limit for all responses to a request. */
export function responsesTooLong(): RpcError {
  return new RpcError(rpcErrorCodes.limitExceeded, 'The responses together are too long', { kind: 'too-long' });
}

/** The client reached a limit; `Retry-After` says when to retry. @param limit its name, as in REST errors */
export function tooManyCalls(limit: string): RpcError {
  return new RpcError(rpcErrorCodes.limitExceeded, 'Too many calls from this address', { limit });
}

/** The budget for unread responses of the address (429) or of the instance (503) is used up. */
export function tooMuchUnread(): RpcError {
  return new RpcError(rpcErrorCodes.limitExceeded, 'Too many responses are unread', {
    kind: 'unread',
    limit: 'response-memory-megabytes',
  });
}
