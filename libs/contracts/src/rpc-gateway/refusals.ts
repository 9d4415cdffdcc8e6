import { RpcError, rpcErrorCodes } from './rpc-error';

/** How Hive's social gateways begin the message of whatever is wrong with a call itself. */
const assertion = 'Assert Exception:';

/** What an assertion is about, with the `assert_hash` by which the network's gateways tell these apart. */
const assertHashes = {
  account: '1a2b3c4d5e6f7a8b9c0d',
  permlink: '2b3c4d5e6f7a8b9c0d1e',
  call: '3c4d5e6f7a8b9c0d1e2f',
  post: '4d5e6f7a8b9c0d1e2f3a',
  community: '6f7a8b9c0d1e2f3a4b5c',
} as const;

/**
 * Parameters, or what they name, are not as the method wants them: `Assert Exception:<text>`, with the `data` that the network's
 * gateways send. Fields that would describe the server are empty, as theirs are.
 *
 * @param subject `account`, `permlink` and `community`: of a name that is malformed, and of an account that does not exist
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

/** The body is no JSON. */
export function unparsable(): RpcError {
  return new RpcError(rpcErrorCodes.parseError, 'Parse error');
}

/** `jsonrpc` is not `2.0`. */
export function notJsonRpc2(): RpcError {
  return new RpcError(rpcErrorCodes.invalidRequest, 'Invalid JSON-RPC');
}

/** @param reason what in the request is against JSON-RPC, for people */
export function invalidRequest(reason: string): RpcError {
  return new RpcError(rpcErrorCodes.invalidRequest, 'Invalid Request', { reason });
}

/** A fault of ours: logged whole, answered opaquely. */
export function internalError(cause: unknown): RpcError {
  return new RpcError(rpcErrorCodes.internalError, 'Internal error', undefined, { cause });
}

/** This answer, besides the others to the same request, would be longer than may be. */
export function answersTooLong(): RpcError {
  return new RpcError(rpcErrorCodes.limitExceeded, 'The answers are too long together', { kind: 'too-long' });
}

/** The address has used up its calls, or has too many under way; `Retry-After` says for how long. */
export function tooManyCalls(): RpcError {
  return new RpcError(rpcErrorCodes.limitExceeded, 'Too many calls from this address');
}

/** There is no memory for the response: too much of others is unread, by this address (429) or by all (503). */
export function tooMuchUnread(): RpcError {
  return new RpcError(rpcErrorCodes.limitExceeded, 'Too many responses are unread', { kind: 'unread' });
}
