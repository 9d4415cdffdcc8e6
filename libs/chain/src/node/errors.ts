/**
 * What can be wrong with a node:
 * - `unreachable`: no connection, or it broke
 * - `timeout`: no whole answer within the time limit
 * - `http-status`: a status other than 2xx, such as 429, 502 or 503
 * - `not-json`, `wrong-id`, `wrong-shape`: an answer, but not one to this request
 * - `too-large`: an answer beyond the limit
 * - `node-error`: a JSON-RPC error that speaks of the node's own trouble
 * - `overloaded`: too many calls wait for the node
 * - `refused`: a JSON-RPC error to a call that a node in order answers
 * - `behind`: an answer that ends before what was asked for
 * - `contradiction`: an answer that cannot be true, by itself or by what is known of the chain
 * - `mismatch`: an answer that does not fit an earlier one, perhaps of another node: either may be untrue
 */
export type NodeFaultKind =
  | 'unreachable'
  | 'timeout'
  | 'http-status'
  | 'not-json'
  | 'wrong-id'
  | 'wrong-shape'
  | 'too-large'
  | 'node-error'
  | 'overloaded'
  | 'refused'
  | UntrueKind;

/** What may be wrong with an answer that has the right shape. */
export type UntrueKind = 'behind' | 'contradiction' | 'mismatch';

export interface NodeFault {
  readonly kind: NodeFaultKind;
  /** Such as `ECONNREFUSED`, `503`, `result.accounts.0.name` or `block 7 is missing`; nothing secret. */
  readonly detail?: string;
  /** What the node asked for by `Retry-After`. */
  readonly retryAfterMs?: number;
}

/** Why one node gave no answer to a call. */
export interface NodeFailure {
  /** Host and port. */
  readonly node: string;
  /** `not-tried`: the time for the whole call was over before it was this node's turn. */
  readonly kind: NodeFaultKind | 'not-tried';
  readonly detail?: string;
}

/** The call was understood and refused: a JSON-RPC error that another node would give as well. */
export class HiveRpcError extends Error {
  override readonly name = 'HiveRpcError';

  constructor(
    readonly method: string,
    /** Code of the JSON-RPC error; hived uses -32000 to -32003 for nearly all of its own. */
    readonly code: number,
    /** As the node says it. */
    readonly rpcMessage: string,
    /** What hived adds: the exception and where it was thrown. */
    readonly data?: unknown,
  ) {
    super(`${method}: ${rpcMessage} (${code})`);
  }
}

/** No node answered. A service makes 503 with `Retry-After` of it. */
export class HiveNodesUnavailableError extends Error {
  override readonly name = 'HiveNodesUnavailableError';

  constructor(
    readonly method: string,
    /** In the order in which the nodes were tried. */
    readonly failures: readonly NodeFailure[],
  ) {
    super(`No Hive API node answered ${method}: ${failures.map(describe).join(', ')}`);
  }
}

/** The client was closed before or during the call. */
export class HiveClientClosedError extends Error {
  override readonly name = 'HiveClientClosedError';

  constructor() {
    super('The client for Hive API nodes is closed');
  }
}

function describe({ node, kind, detail }: NodeFailure): string {
  return detail === undefined ? `${node} ${kind}` : `${node} ${kind} (${detail})`;
}
