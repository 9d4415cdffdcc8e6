import { type UntrueKind } from '../api/untrue-result';

/**
 * How a call to a node can fail:
 * - `unreachable`: no connection, or it broke
 * - `timeout`: no complete response within the time limit
 * - `http-status`: a status other than 2xx, such as 429, 502 or 503
 * - `not-json`, `wrong-id`, `wrong-shape`: not a valid response to this request
 * - `too-large`: a response longer than `maxResponseBytes`
 * - `node-error`: a JSON-RPC error caused by the node, not by the call
 * - `overloaded`: not sent, because too many calls wait at every node that could be called
 * - `rejected`: a JSON-RPC error that counts against the node: to a call that a working node accepts, or while nodes
 *   are compared
 *
 * Of the right shape, but unusable or untrue:
 * - `not-stored`: a result without a recent block that the node may be about to store, which does not count against it
 * - `behind`: a result that ends before the requested blocks
 * - `outdated`: a result without a field that newer versions of the node have
 * - `contradiction`: a result that cannot be true, by itself or by what is known of the chain
 * - `mismatch`: a result that does not fit an earlier one, perhaps of another node: either may be untrue
 */
export type NodeFailureKind =
  | 'unreachable'
  | 'timeout'
  | 'http-status'
  | 'not-json'
  | 'wrong-id'
  | 'wrong-shape'
  | 'too-large'
  | 'node-error'
  | 'overloaded'
  | 'rejected'
  | UntrueKind;

export interface CallFailureDetail {
  readonly kind: NodeFailureKind;
  /** Such as `ECONNREFUSED`, `503`, `result.accounts.0.name` or `block 7 is missing`; nothing secret. */
  readonly detail?: string;
  /** The pause that the header `Retry-After` asks for. */
  readonly retryAfterMs?: number;
}

/** Why one node gave no result. */
export interface NodeFailure {
  /** Host and port. */
  readonly node: string;
  /**
   * `not-tried`: the node was not called, because the time for the whole call was over or the node was ejected; or its
   * response was not awaited, because with any response there would be no majority.
   */
  readonly kind: NodeFailureKind | 'not-tried';
  readonly detail?: string;
}

/** A node rejected the call, with a JSON-RPC error that another node would give as well; or no node has the method. */
export class HiveRpcError extends Error {
  override readonly name = 'HiveRpcError';

  constructor(
    readonly method: string,
    /** Code of the JSON-RPC error; hived uses -32000 to -32003 for nearly all of its own. */
    readonly code: number,
    /** The message of the node. */
    readonly rpcMessage: string,
    /** Added by hived: the exception, and where it was thrown. */
    readonly data?: unknown,
  ) {
    super(`${method}: ${rpcMessage} (${code})`);
  }
}

/** No node gave a usable result, or the nodes do not agree. */
export class HiveNodesUnavailableError extends Error {
  override readonly name = 'HiveNodesUnavailableError';

  constructor(
    readonly method: string,
    /**
     * The failed calls in the order of their end, then calls without a response in time, then the nodes that were not
     * called.
     */
    readonly failures: readonly NodeFailure[],
  ) {
    super(`No Hive API node gave a usable result for ${method}: ${failures.map(describe).join(', ')}`);
  }

  /** Whether more than half of the nodes gave a result, but not the same one. */
  get isDisagreement(): boolean {
    return this.failures.filter(({ kind }) => kind === 'mismatch').length > this.failures.length / 2;
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
