/** What is done with calls of one method, or of all methods of a namespace that have no route of their own. */
export interface Route {
  /** `<namespace>` or `<namespace>.<query>`, as in the route table. */
  readonly name: string;
  /** `local`, or the name of a backend. */
  readonly to: string;
  /** Within which a call is answered, however many nodes are asked. */
  readonly timeoutMs: number;
  /** How many further nodes may be asked where one fails or does not answer. */
  readonly retries: number;
  /** Without an answer for so long, another node is asked too, as the budget of the backend allows. */
  readonly hedgeMs: number | undefined;
  readonly cache: CacheRule;
  /** How long past its time an answer may be given where no node has one. */
  readonly staleMs: number;
  /** Sent once: to one node, never again, and never answered from what is kept. */
  readonly isWrite: boolean;
  /** Of a namespace: its queries, without those that have a route of their own. Undefined: they are not known, and any is passed on. */
  readonly methods?: readonly string[] | undefined;
}

/**
 * How long an answer is kept:
 * - `none`: not at all
 * - `head`: until the chain has another head block
 * - `time`: so long, since it does not depend on the chain
 * - `irreversible`: for good where the last block that the call asks for is irreversible, else as `head`
 */
export type CacheRule =
  | { readonly kind: 'none' }
  | { readonly kind: 'head' }
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'irreversible'; readonly block: BlockPlace };

/** Where the parameters say which blocks are asked for: by name or place. */
export interface BlockPlace {
  readonly block: string;
  /** How many blocks from that one on; without it: that one. */
  readonly count: string | undefined;
}

/** A set of nodes that answer alike. */
export interface BackendSettings {
  readonly name: string;
  readonly urls: readonly string[];
  /** To each node, at the most. */
  readonly connections: number;
  /** Calls that may wait for a connection to a node. */
  readonly waiting: number;
  /** So many of a hundred reads may be hedged. */
  readonly hedgePercent: number;
  /** Longer answers are refused: all that run may be in the memory at once. */
  readonly answerMostBytes: number;
}

/** The word for what is answered by the index, in the place of a backend. */
export const local = 'local';
