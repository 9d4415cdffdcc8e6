import { readPauses } from './health/circuit-breaker';
import { type NodeFailureKind } from './errors';
import { type NodeChange } from './health/node-health';

export interface HiveClientOptions {
  /**
   * Of Hive API nodes, `https:` or `http:`. Of nodes that are equally good the first is preferred. Credentials are sent
   * as Basic.
   */
  readonly urls: readonly string[];
  /** Time limit of a call to one node; default 5,000. */
  readonly timeoutMs?: number;
  /** Time limit of a call over all nodes; default 15,000. */
  readonly overallTimeoutMs?: number;
  /**
   * The pause before a node that failed a read is tried again; each failure after a pause doubles the next. Default
   * 1,000.
   */
  readonly firstPauseMs?: number;
  /** The longest such pause; default 5,000: a trial is a copy of a call, and no caller waits for it. */
  readonly maxPauseMs?: number;
  /**
   * How long a node that contradicted the chain, or itself, is called only if no other one is left, in milliseconds;
   * default 60,000. Its other results may be untrue in ways that no check detects, such as a missing virtual operation.
   */
  readonly distrustMs?: number;
  /**
   * How many blocks (of 3 s) the head of a node may be behind or ahead of the other heads, as `compareHeads` decides;
   * default 20.
   */
  readonly maxLagBlocks?: number;
  /** The shortest time between comparisons of the heads while calls are made; default 10,000. */
  readonly probeIntervalMs?: number;
  /** Longest response that is read; default 32 MiB, which holds about a hundred full blocks. */
  readonly maxResponseBytes?: number;
  /** Maximum to each node; default 32. */
  readonly maxConnections?: number;
  /** Calls to each node that may wait for a connection; default 10,000: more would not get a response in time. */
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
  /** Returns a number in [0, 1), as `Math.random`; replaced only in tests. */
  readonly random?: () => number;
  /** The monotonic clock of pauses and probes, in milliseconds. Only tests need another. */
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

/** Maximum percentage of the reads that are sent to a second node while the first may still respond. */
export const hedgePercent = 10;

/**
 * A read is hedged when it takes this many times as long as its node usually does, and at least this many milliseconds:
 * a node that does not respond then costs a caller a quarter of a second.
 */
export const hedgeFactor = 3;
export const minHedgeMs = 250;

/**
 * How long `callWorkingNodes` waits for each node, in milliseconds: several times as long as a distant public node
 * takes for one block.
 */
export const compareTimeoutMs = 3_000;

/**
 * How long `avoid` lasts, in milliseconds: longer than a failed call ejects the other nodes, so that one of these is
 * called first.
 */
export const avoidMs = 10_000;

const defaults = {
  timeoutMs: 5_000,
  overallTimeoutMs: 15_000,
  firstPauseMs: readPauses.firstMs,
  maxPauseMs: readPauses.maxMs,
  distrustMs: 60_000,
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
