/** How the gateway handles the calls of one method, or of all methods of a namespace without a route of their own. */
export interface Route {
  /** `<namespace>` or `<namespace>.<query>`, as in the route table. */
  readonly name: string;
  /** `local`, or the name of a backend. */
  readonly to: string;
  /** Time limit of a call with all its attempts. */
  readonly timeoutMs: number;
  /** Maximum number of further nodes that are called if one fails or does not respond. */
  readonly retries: number;
  /** Time without a response after which another node is called too, within the hedging budget of the backend. */
  readonly hedgeMs: number | undefined;
  readonly cache: CacheRule;
  /** Time that an expired response may replace an error if all nodes fail. */
  readonly staleMs: number;
  /** Sent to one node, once: neither retried nor cached. */
  readonly isWrite: boolean;
  /** The queries of a namespace, without those that have a route of their own. Undefined: every query is forwarded. */
  readonly methods?: readonly string[] | undefined;
  /** The route of calls of a local method that the index cannot answer. Without it, such a call gets an error. */
  readonly fallback?: Route | undefined;
}

/** How the gateway handles requests for paths below a prefix, such as of a REST API. */
export interface PathRoute extends Route {
  /** The prefix, which begins and ends with a slash; for `local`, a pattern with parameters such as `{account}`. */
  readonly name: string;
  /** Whether the prefix is removed from the path that is sent to the backend. */
  readonly stripsPrefix: boolean;
}

/**
 * How long a response is cached:
 * - `none`: not at all
 * - `head`: until the next head block
 * - `time`: for a fixed time, because it does not depend on the chain
 * - `irreversible`: for 24 hours if the last requested block is irreversible, otherwise as `head`
 */
export type CacheRule =
  | { readonly kind: 'none' }
  | { readonly kind: 'head' }
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'irreversible'; readonly block: BlockParameters };

/** The parameters that say which blocks a call requests, by name or position: the first block and their number. */
export interface BlockParameters {
  readonly first: string;
  /** The parameter with the number of blocks; undefined if one block is requested. */
  readonly count: string | undefined;
}

/** A set of interchangeable nodes. */
export interface BackendSettings {
  readonly name: string;
  readonly urls: readonly string[];
  /** Maximum to each node. */
  readonly connections: number;
  /** Calls that may wait for a connection to a node. */
  readonly maxQueued: number;
  /** The share of reads that may be hedged. */
  readonly hedgePercent: number;
  /** Maximum size of a response. A longer one is an error: all those in flight may be in memory at once. */
  readonly maxResponseBytes: number;
  /**
   * Whether the nodes are gateways like this one: cursors of their notifications then continue in the index, and the
   * reverse.
   */
  readonly sharesCursors: boolean;
  /** Whether the nodes report the head of the chain, which then also decides whether they are healthy. */
  readonly reportsHead: boolean;
}

/** The target of routes whose methods this service implements, instead of a backend. */
export const local = 'local';

/** Creates a route without retries, hedging, cache or stale responses. */
export function singleAttemptRoute(name: string, to: string, timeoutMs: number, isWrite: boolean): Route {
  return { name, to, timeoutMs, retries: 0, hedgeMs: undefined, cache: { kind: 'none' }, staleMs: 0, isWrite };
}

/** Whether a name belongs to a method, `<namespace>.<query>`, instead of a namespace. */
export function isMethodName(name: string): boolean {
  return name.includes('.');
}

/**
 * Whether the name says that a method broadcasts a transaction. Such a call is sent once, even under a namespace row
 * that is not a write.
 */
export function isBroadcast(method: string): boolean {
  return method.includes('.broadcast_');
}
