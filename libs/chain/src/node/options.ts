import { readPauses } from './health/circuit-breaker';
import { type NodeFailureKind } from './errors';
import { type NodeChange } from './health/node-health';

export interface HiveClientOptions {
  /**
   * URLs of Hive API nodes, `https:` or `http:`. If nodes are equally good, the first is preferred. Credentials in a
   * URL are sent as Basic authentication.
   */
  readonly urls: readonly string[];
  /** Time limit of a call to one node; default 5,000. */
  readonly timeoutMs?: number;
  /** Time limit of a call over all nodes; default 15,000. */
  readonly overallTimeoutMs?: number;
  /** Minimum time that a read waits for a node before it is sent to another one too, see `hedgeFactor`; default 250. */
  readonly minHedgeMs?: number;
  /**
   * Pause before a node that failed a read is tried again; each failure after a pause doubles the next. Default 1,000.
   */
  readonly firstPauseMs?: number;
  /** Maximum pause after failed reads; default 5,000: a trial is a copy of a call, and no caller waits for it. */
  readonly maxPauseMs?: number;
  /**
   * Time that `recordContradiction` ejects a node; default 60,000. Other results of the node may be untrue in ways that
   * no check detects, such as a missing virtual operation.
   */
  readonly contradictionPauseMs?: number;
  /**
   * Maximum number of blocks (of 3 s) that the head of a node may be behind or ahead of the other heads, as
   * `compareHeads` decides; default 20.
   */
  readonly maxLagBlocks?: number;
  /** Minimum time between two comparisons of the heads while calls are made; default 10,000. */
  readonly probeIntervalMs?: number;
  /** Maximum size of a response; default 32 MiB, which holds about a hundred full blocks. */
  readonly maxResponseBytes?: number;
  /** Maximum number of connections to each node, for reads and for lists of accounts each; default 32. */
  readonly maxConnections?: number;
  /** Maximum number of calls to a node that wait for a connection; default 10,000: more would not respond in time. */
  readonly maxQueued?: number;
  /**
   * Whether a JSON-RPC error is a failure of the node, so that the next node is called: for calls that a working node
   * never rejects. Default false: the call is at fault, and other nodes would reject it too.
   */
  readonly rpcErrorIsFailure?: boolean;
  /** Called after each call to each node, for metrics and logs. Must not throw. */
  readonly onOutcome?: (outcome: NodeOutcome) => void;
  /** Called with each change of a node's state, for the log. Must not throw. */
  readonly onNodeChange?: (change: NodeChange) => void;
  /** Returns a number in [0, 1), like `Math.random`, which only tests replace. */
  readonly random?: () => number;
  /** Returns the time of a monotonic clock, in milliseconds; `performance.now`, which only tests replace. */
  readonly now?: () => number;
}

/** How one call to one node ended. */
export interface NodeOutcome {
  /** Host and port. */
  readonly node: string;
  readonly method: string;
  /** `rejected`, `not-served`: a JSON-RPC error. `aborted`: another node responded first. */
  readonly outcome: 'result' | 'not-served' | 'aborted' | NodeFailureKind;
  readonly ms: number;
}

/** Maximum percentage of reads that are hedged: sent to a second node while the first may still respond. */
export const hedgePercent = 10;

/**
 * A read is hedged when it takes this many times as long as its node usually does, and at least `minHedgeMs`: by
 * default, a node that does not respond costs a caller a quarter of a second.
 */
export const hedgeFactor = 3;

/**
 * Maximum time that `callWorkingNodes` waits for each node, in milliseconds: several times as long as a distant public
 * node takes for one block.
 */
export const compareTimeoutMs = 3_000;

/**
 * Time that `recordMismatch` ejects a node, in milliseconds: longer than a failed call ejects the other nodes, so that
 * these are called first.
 */
export const mismatchPauseMs = 10_000;

const defaults = {
  timeoutMs: 5_000,
  overallTimeoutMs: 15_000,
  minHedgeMs: 250,
  firstPauseMs: readPauses.firstMs,
  maxPauseMs: readPauses.maxMs,
  contradictionPauseMs: 60_000,
  maxLagBlocks: 20,
  probeIntervalMs: 10_000,
  maxResponseBytes: 32 * 1024 * 1024,
  maxConnections: 32,
  maxQueued: 10_000,
  rpcErrorIsFailure: false,
};

/** The options with their defaults. */
export type HiveClientSettings = Required<Pick<HiveClientOptions, keyof typeof defaults>>;

export function settingsOf(options: HiveClientOptions): HiveClientSettings {
  return { ...defaults, ...options };
}

/**
 * Parses the URLs of nodes. A node that is listed twice is returned once, because it has one vote.
 *
 * @throws RangeError if one is neither http nor https; its message does not contain the URL
 */
export function parseNodeUrls(texts: readonly string[]): URL[] {
  return [...new Map(texts.map(parseUrl).map((url) => [url.href, url])).values()];
}

function parseUrl(text: string, index: number): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new RangeError(`URL ${index + 1} of the Hive API nodes is neither http nor https`);
}
