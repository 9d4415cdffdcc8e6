import { type z } from 'zod';
import {
  HiveClientClosedError,
  HiveNodesUnavailableError,
  type HiveRpcError,
  type NodeFailure,
  type NodeFailureKind,
} from './errors';
import { type CallKind, readKind } from './call-kind';
import { polledNodes, readHead, recordHeads } from './head-probe';
import { recordOwnCalls } from './record-reply';
import { type HiveNodes, type NodeResult } from './hive-nodes';
import { type CallReport, HiveNode, type NodeCall } from './hive-node';
import { resultReader } from './json-rpc';
import { type CallFailure, type NodeChange, NodeHealth, type NodeState } from './node-health';
import { NodePool } from './node-pool';
import { type NodeReply } from './node-reply';
import { type CallOutcome } from './read-attempts';

export interface HiveClientOptions {
  /** Of Hive API nodes, `https:` or `http:`. Of nodes that are equally good the first is preferred. Credentials are sent as Basic. */
  readonly urls: readonly string[];
  /** Time limit of a call to one node; default 5,000. */
  readonly timeoutMs?: number;
  /** Time limit of a call over all nodes; default 15,000. */
  readonly overallTimeoutMs?: number;
  /** After how long a node that failed a call is tried again; each further failure doubles it. Default 1,000. */
  readonly cooldownMs?: number;
  /** The longest such time; default 5,000: a trial is a copy of a call, for which no caller waits. */
  readonly maxCooldownMs?: number;
  /**
   * How long a node that contradicted the chain, or itself, is not called beside others, in milliseconds; default 60,000. What else it
   * returns may be untrue in a way that nothing shows, such as a virtual operation that it leaves out.
   */
  readonly distrustMs?: number;
  /** How many blocks (of 3 s) the head of a node may be behind the highest; default 20. */
  readonly maxLagBlocks?: number;
  /** The shortest time between comparisons of the heads while calls are made; default 10,000. */
  readonly probeIntervalMs?: number;
  /** Longest response that is read; default 32 MiB, which holds about a hundred full blocks. */
  readonly maxResponseBytes?: number;
  /** Maximum to each node; default 32. */
  readonly maxConnections?: number;
  /**
   * Whether a JSON-RPC error is a failure of the node, so that the next node is called: for calls to which a working node always
   * responds. Default false: the call is at fault, and other nodes would reject it too.
   */
  readonly rpcErrorIsFailure?: boolean;
  /** Called after each call to each node, for metrics and logs. Must not throw. */
  readonly onOutcome?: (outcome: NodeOutcome) => void;
  /** Called with each change of a node's state, for the log. Must not throw. */
  readonly onNodeChange?: (change: NodeChange) => void;
  /** A number from 0 to 1; only tests need another than that of `Math.random`. */
  readonly random?: () => number;
  /** The monotonic clock of pauses and probes, in milliseconds. Only tests need another. */
  readonly now?: () => number;
}

/** How one call to one node ended. */
export interface NodeOutcome {
  /** Host and port. */
  readonly node: string;
  readonly method: string;
  /** `rejected`, `not-served`: a JSON-RPC error. `aborted`: another node had responded before. */
  readonly outcome: 'result' | 'not-served' | 'aborted' | NodeFailureKind;
  readonly ms: number;
}

/** The current state of a node. */
export interface NodeStatus {
  /** Host and port. */
  readonly node: string;
  readonly state: NodeState;
  /** Undefined before it was first read, which needs several nodes. */
  readonly headBlock: number | undefined;
}

/** Share of the reads that may be sent to a second node while the first may still respond. */
const hedgePercent = 10;

/**
 * A read is hedged when it takes this many times as long as its node usually does, and at least this many milliseconds: a node that
 * does not respond then costs a caller a quarter of a second.
 */
const hedgeFactor = 3;
const minHedgeMs = 250;

/** How long `callWorking` waits for each node, in milliseconds: several times as long as a distant public node takes for one block. */
const compareTimeoutMs = 3_000;

/** How long `avoid` lasts, in milliseconds: longer than a failed call ejects the other nodes, so that one of these is called first. */
const avoidMs = 10_000;

const defaults = {
  timeoutMs: 5_000,
  overallTimeoutMs: 15_000,
  cooldownMs: 1_000,
  maxCooldownMs: 5_000,
  distrustMs: 60_000,
  maxLagBlocks: 20,
  probeIntervalMs: 10_000,
  maxResponseBytes: 32 * 1024 * 1024,
  maxConnections: 32,
  rpcErrorIsFailure: false,
};

/**
 * JSON-RPC 2.0 client for one or more Hive API nodes.
 *
 * A call goes to a usable node and, if that fails or is slow, to another. A node that fails calls of one kind gets no more of
 * them until a trial, for which no caller waits, has succeeded; nodes whose head does not agree with the others come later. If
 * all are ejected, they are called anyway. For reading only: a call may reach more than one node.
 */
export class HiveClient implements HiveNodes {
  private readonly pool: NodePool;
  private readonly settings: Required<Pick<HiveClientOptions, keyof typeof defaults>>;
  private readonly now: () => number;
  private isClosed = false;
  private probing: Promise<void> | undefined;
  private probedAtMs = -Infinity;

  /** @throws RangeError if there is no URL, or one is not that of a node; it does not repeat the URL. */
  constructor(options: HiveClientOptions) {
    if (options.urls.length === 0) throw new RangeError('at least one Hive API node is needed');
    this.settings = { ...defaults, ...options };
    const { cooldownMs, maxCooldownMs, distrustMs, maxResponseBytes, maxConnections } = this.settings;
    this.now = options.now ?? (() => performance.now());
    const health = {
      pauses: { firstMs: cooldownMs, longestMs: maxCooldownMs },
      now: this.now,
      onChange: options.onNodeChange,
    };
    const node = {
      connections: maxConnections,
      maxQueued: Infinity,
      maxResponseBytes,
      recordReply: recordOwnCalls(distrustMs),
      onCall: options.onOutcome && ((report: CallReport) => options.onOutcome?.(outcomeOf(report))),
    };
    const nodes = options.urls.map(parseUrl).map((url) => new HiveNode(url, node, new NodeHealth(url.host, health)));
    this.pool = new NodePool(nodes, { hedgePercent, random: options.random });
  }

  get nodeCount(): number {
    return this.pool.nodes.length;
  }

  /**
   * @throws HiveRpcError if the call is rejected
   * @throws HiveNodesUnavailableError if no node responds
   * @throws HiveClientClosedError if the client is closed
   */
  async call<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T> {
    const { value } = await this.callWithNode(method, params, result);
    return value;
  }

  /** As `call`, with the node that gave the result. */
  async callWithNode<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<NodeResult<T>> {
    const call = this.begin(method, params, result, readKind(method), this.settings.timeoutMs);
    const outcome = await this.pool.read(call, {
      maxAttempts: this.nodeCount,
      timeoutMs: this.settings.overallTimeoutMs,
      shareMs: Infinity,
      hedgeDelayMs: ({ health }) => Math.max(minHedgeMs, hedgeFactor * health.latencyMs(call.kind)),
    });
    this.throwIfClosed();
    const { reply, node } = outcome;
    if (reply.kind === 'result' && node !== undefined) return { node: node.name, value: reply.result };
    throw reply.kind === 'rejected' ? reply.error : this.errorOf(method, outcome);
  }

  /**
   * Waits up to 3 s for each node.
   *
   * @throws HiveNodesUnavailableError if no node responds
   * @throws HiveClientClosedError if the client is closed
   */
  async callWorking<T>(
    method: string,
    params: unknown,
    result: z.ZodType<T>,
    kind: CallKind = readKind(method),
  ): Promise<readonly NodeResult<T>[]> {
    const call = this.begin(method, params, result, kind, Math.min(this.settings.timeoutMs, compareTimeoutMs));
    this.pool.sendTrial(call, compareTimeoutMs);
    const called = this.pool.working(kind);
    const replies = await Promise.all(called.map(async (node) => ({ node, reply: await node.send(call) })));
    this.throwIfClosed();
    const results = replies.flatMap(({ node, reply }) =>
      reply.kind === 'result' ? [{ node: node.name, value: reply.result }] : [],
    );
    if (results.length > 0) return results;
    throw new HiveNodesUnavailableError(method, [...replies.map(failureOf), ...this.notTried(called)]);
  }

  distrust(node: string, reason: string): void {
    this.fail(node, 'comparison', {
      reason: `contradiction (${reason})`,
      isOfWholeNode: true,
      retryAfterMs: this.settings.distrustMs,
    });
  }

  avoid(node: string, reason: string): void {
    this.fail(node, 'blocks', { reason: `mismatch (${reason})`, retryAfterMs: avoidMs });
  }

  /**
   * Reads the heads of all nodes, and marks those that do not agree with the others. Calls start it and do not wait for it; a
   * service may at its start. Never rejects.
   */
  probe(): Promise<void> {
    this.probing ??= this.probeNodes().finally(() => {
      this.probing = undefined;
    });
    return this.probing;
  }

  /** The usable nodes first, then those whose head does not agree, then those that fail calls of any kind. */
  status(): NodeStatus[] {
    return this.pool.inOrder().map(({ name: node, health: { state, headBlock } }) => ({ node, state, headBlock }));
  }

  /** Ends the running calls (they reject with `HiveClientClosedError`) and leaves no connection. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.pool.close();
  }

  private begin<T>(
    method: string,
    params: unknown,
    result: z.ZodType<T>,
    kind: CallKind,
    timeoutMs: number,
  ): NodeCall<T, HiveRpcError> {
    this.throwIfClosed();
    this.probeIfDue();
    const read = resultReader(method, result, this.settings.rpcErrorIsFailure);
    return { method, paramsText: JSON.stringify(params), kind, lane: 'read', read, timeoutMs };
  }

  private fail(name: string, kind: CallKind, failure: CallFailure): void {
    for (const node of this.pool.nodes) if (node.name === name) node.health.begin(kind).failed(failure);
  }

  private errorOf(method: string, { reply, called, failures }: CallOutcome<unknown, HiveRpcError>): Error {
    const failed = failures.filter((failure) => failure.reply.kind !== 'not-served').map(failureOf);
    const isCutShort = (node: HiveNode): boolean => !failures.some((failure) => failure.node === node);
    failed.push(...called.filter(isCutShort).map(({ name: node }) => ({ node, kind: 'timeout' as const })));
    failed.push(...this.notTried(called));
    // If some nodes have no such method and the others fail, one of the latter may have it.
    return failed.length === 0 && reply.kind === 'not-served'
      ? reply.error
      : new HiveNodesUnavailableError(method, failed);
  }

  private notTried(called: readonly HiveNode[]): NodeFailure[] {
    return this.pool.nodes
      .filter((node) => !called.includes(node))
      .map(({ name }) => ({ node: name, kind: 'not-tried' }));
  }

  private throwIfClosed(): void {
    if (this.isClosed) throw new HiveClientClosedError();
  }

  private async probeNodes(): Promise<void> {
    this.probedAtMs = this.now();
    const { nodes } = this.pool;
    const polls = polledNodes(nodes, this.probedAtMs).map((node) => readHead(node, this.settings.timeoutMs));
    const isReported = await Promise.all(polls);
    if (isReported.includes(true)) recordHeads(nodes, this.settings.maxLagBlocks);
  }

  /** Without a timer: while no call is made, no node needs to be known as lagging. */
  private probeIfDue(): void {
    if (this.nodeCount === 1 || this.now() - this.probedAtMs < this.settings.probeIntervalMs) return;
    void this.probe();
  }
}

/** Why this node gave no result. */
function failureOf({ node: { name: node }, reply }: { node: HiveNode; reply: NodeReply }): NodeFailure {
  if (reply.kind !== 'failed') return { node, kind: 'rejected' };
  const { kind, detail } = reply.failure;
  return { node, kind, ...(detail === undefined ? {} : { detail }) };
}

function outcomeOf({ node, method, reply, ms }: CallReport): NodeOutcome {
  return { node: node.name, method, outcome: outcomeKindOf(reply), ms };
}

function outcomeKindOf(reply: NodeReply): NodeOutcome['outcome'] {
  if (reply.kind === 'failed') return reply.cause === 'superseded' ? 'aborted' : reply.failure.kind;
  return reply.kind === 'over-budget' ? 'too-large' : reply.kind;
}

function parseUrl(text: string, index: number): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new RangeError(`URL ${index + 1} of the Hive API nodes is neither http nor https`);
}
