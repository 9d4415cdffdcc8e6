import { type z } from 'zod';
import { type ComparedNodes } from '../api/hive-api';
import { HiveClientClosedError, HiveNodesUnavailableError, type HiveRpcError, type NodeFailure } from './errors';
import { type CallKind, readKind } from './call-kind';
import { polledNodes, readHead, recordHeads } from './health/head-probe';
import { recordOwnCalls } from './record-reply';
import { type HiveNodes, type NodeResult } from './hive-nodes';
import { type CallReport, HiveNode } from './hive-node';
import { type NodeCall } from './node-call';
import { MajorityVote, type VoteOutcome } from './majority-vote';
import { resultReader } from './http/json-rpc';
import { type CallFailure, NodeHealth, type NodeState } from './health/node-health';
import { NodePool } from './node-pool';
import { failureOf, type NodeReply } from './node-reply';
import {
  mismatchPauseMs,
  compareTimeoutMs,
  hedgeFactor,
  hedgePercent,
  type HiveClientOptions,
  type HiveClientSettings,
  type NodeOutcome,
  parseNodeUrls,
  settingsOf,
} from './options';
import { type CallOutcome } from './read-attempts';

/** The current state of a node. */
export interface NodeStatus {
  /** Host and port. */
  readonly node: string;
  readonly state: NodeState;
  /** The head block that the node last reported; undefined before the first report, and always with a single node. */
  readonly headBlock: number | undefined;
}

/**
 * JSON-RPC 2.0 client for one or more Hive API nodes. Use it only for reads: a call may reach several nodes.
 *
 * A call goes to a usable node and, if that fails or is slow, to another. Nodes whose head does not agree with the
 * others come later. A node that fails calls of one kind (`CallKind`) is ejected for that kind: it gets no such calls
 * as long as another node can be called. From time to time it gets a copy of a call, a trial, that no caller waits for.
 * The first trial that succeeds restores the node.
 */
export class HiveClient implements HiveNodes, ComparedNodes {
  private readonly pool: NodePool;
  private readonly settings: HiveClientSettings;
  private readonly now: () => number;
  private isClosed = false;
  private probing: Promise<void> | undefined;
  private probedAtMs = -Infinity;

  /** @throws RangeError if there is no URL, or one is neither http nor https; the message does not contain the URL */
  constructor(options: HiveClientOptions) {
    if (options.urls.length === 0) throw new RangeError('at least one Hive API node is needed');
    this.settings = settingsOf(options);
    const { firstPauseMs, maxPauseMs, contradictionPauseMs, maxResponseBytes, maxConnections, maxQueued } =
      this.settings;
    this.now = options.now ?? (() => performance.now());
    const health = {
      pauses: { firstMs: firstPauseMs, maxMs: maxPauseMs },
      now: this.now,
      onChange: options.onNodeChange,
    };
    const node = {
      connections: maxConnections,
      maxQueued,
      maxResponseBytes,
      recordReply: recordOwnCalls(contradictionPauseMs),
      onCall: options.onOutcome && ((report: CallReport) => options.onOutcome?.(outcomeOf(report))),
    };
    const urls = parseNodeUrls(options.urls);
    const nodes = urls.map((url) => new HiveNode(url, node, new NodeHealth(url.host, health)));
    this.pool = new NodePool(nodes, { hedgePercent, random: options.random });
  }

  get nodeCount(): number {
    return this.pool.nodes.length;
  }

  /**
   * Calls a method of one node, or of others if that fails.
   *
   * @throws HiveRpcError if the call is rejected
   * @throws HiveNodesUnavailableError if no node responds
   * @throws HiveClientClosedError if the client is closed
   */
  async call<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T> {
    const { value } = await this.callWithNode(method, params, result);
    return value;
  }

  /** Does the same as `call`, and also returns the name of the node that gave the result. */
  async callWithNode<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<NodeResult<T>> {
    const call = this.createCall(method, params, result, readKind(method), this.settings.timeoutMs);
    const outcome = await this.pool.read(call, {
      maxAttempts: this.nodeCount,
      timeoutMs: this.settings.overallTimeoutMs,
      // A slow node is hedged instead.
      shareMs: Infinity,
      hedgeDelayMs: ({ health }) => Math.max(this.settings.minHedgeMs, hedgeFactor * health.latencyMs(call.kind)),
    });
    this.throwIfClosed();
    const { reply, node } = outcome;
    if (reply.kind === 'result' && node !== undefined) return { node: node.name, value: reply.result };
    throw reply.kind === 'rejected' ? reply.error : this.errorOf(method, outcome);
  }

  /**
   * Returns the result that more than half of the nodes give. Waits for each node up to the time limit of a call. Calls
   * an ejected node only if the others do not agree, or not within `minHedgeMs`. Ejects nodes that give another result.
   *
   * @throws HiveNodesUnavailableError if no result has a majority
   * @throws HiveClientClosedError if the client is closed
   */
  async majority<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T> {
    const kind = 'vote';
    const call = this.createCall(method, params, result, kind, this.settings.timeoutMs);
    this.pool.sendTrial(call, this.settings.timeoutMs);
    const { nodes } = this.pool;
    const working = this.pool.working(kind);
    const first = working.length > nodes.length / 2 ? working : nodes;
    const outcome = await new MajorityVote(call, { nodes, first, delayMs: this.settings.minHedgeMs }).run();
    this.throwIfClosed();
    const vote = outcome.majority?.[0];
    if (vote === undefined) throw new HiveNodesUnavailableError(method, this.failuresOfVote(outcome));
    const mismatch = { reason: 'mismatch (most nodes return another result)', retryAfterMs: mismatchPauseMs };
    for (const { node } of outcome.others) node.health.recordFailure(kind, mismatch);
    return vote.result;
  }

  /**
   * Returns the results of all nodes that are not ejected, or of all nodes if every one is. Waits for each node up to
   * `compareTimeoutMs`.
   *
   * @throws HiveRpcError if every node rejects the call or lacks the method
   * @throws HiveNodesUnavailableError if no node gives a result, and at least one of them fails
   * @throws HiveClientClosedError if the client is closed
   */
  async callWorkingNodes<T>(
    method: string,
    params: unknown,
    result: z.ZodType<T>,
    kind: CallKind = readKind(method),
  ): Promise<readonly NodeResult<T>[]> {
    const call = this.createCall(method, params, result, kind, Math.min(this.settings.timeoutMs, compareTimeoutMs));
    this.pool.sendTrial(call, compareTimeoutMs);
    const called = this.pool.working(kind);
    const replies = await Promise.all(called.map(async (node) => ({ node, reply: await node.send(call) })));
    this.throwIfClosed();
    const results = replies.flatMap(({ node, reply }) =>
      reply.kind === 'result' ? [{ node: node.name, value: reply.result }] : [],
    );
    if (results.length > 0) return results;
    const rpcErrors = replies.flatMap(({ reply }) =>
      reply.kind === 'rejected' || reply.kind === 'not-served' ? [reply.error] : [],
    );
    const [rpcError] = rpcErrors;
    if (rpcError !== undefined && rpcErrors.length === this.nodeCount) throw rpcError;
    throw new HiveNodesUnavailableError(method, [...replies.map(failureOf), ...this.notTried(called)]);
  }

  recordContradiction(node: string, reason: string): void {
    this.recordFailure(node, 'comparison', {
      reason: `contradiction (${reason})`,
      isOfWholeNode: true,
      retryAfterMs: this.settings.contradictionPauseMs,
    });
  }

  recordMismatch(node: string, reason: string): void {
    this.recordFailure(node, 'blocks', { reason: `mismatch (${reason})`, retryAfterMs: mismatchPauseMs });
  }

  /**
   * Reads the heads of the nodes, and marks nodes that lag or are ahead. Calls start a probe without waiting for it; a
   * service may await one when it starts. Never rejects.
   */
  probe(): Promise<void> {
    this.probing ??= this.probeNodes().finally(() => {
      this.probing = undefined;
    });
    return this.probing;
  }

  /** Returns the state of each node: usable nodes first, then those that lag or are ahead, then ejected ones. */
  status(): NodeStatus[] {
    return this.pool.inOrder().map(({ name: node, health: { state, headBlock } }) => ({ node, state, headBlock }));
  }

  /** Closes all connections. Running calls reject with `HiveClientClosedError`. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.pool.close();
  }

  private createCall<T>(
    method: string,
    params: unknown,
    result: z.ZodType<T>,
    kind: CallKind,
    timeoutMs: number,
  ): NodeCall<T, HiveRpcError> {
    this.throwIfClosed();
    this.probeIfDue();
    const readResponse = resultReader(method, result, this.settings.rpcErrorIsFailure);
    const purpose = kind === 'account list' ? 'list' : 'read';
    return { method, paramsText: JSON.stringify(params), kind, purpose, readResponse, timeoutMs };
  }

  private recordFailure(name: string, kind: CallKind, failure: CallFailure): void {
    for (const node of this.pool.nodes) if (node.name === name) node.health.recordFailure(kind, failure);
  }

  private errorOf(method: string, { reply, called, failures }: CallOutcome<unknown, HiveRpcError>): Error {
    const failed = failures.filter((failure) => failure.reply.kind !== 'not-served').map(failureOf);
    // Calls that were still running when the time of all attempts was over.
    const isCutShort = (node: HiveNode): boolean => !failures.some((failure) => failure.node === node);
    failed.push(...called.filter(isCutShort).map(({ name: node }) => ({ node, kind: 'timeout' as const })));
    failed.push(...this.notTried(called));
    // Only if every node lacks the method is that the error: a node that failed may have the method.
    return failed.length === 0 && reply.kind === 'not-served'
      ? reply.error
      : new HiveNodesUnavailableError(method, failed);
  }

  /** Returns why each node did not contribute to a majority. */
  private failuresOfVote<T>({ others, failures }: VoteOutcome<T>): NodeFailure[] {
    const disagreeing = others.map(({ node }) => ({ node: node.name, kind: 'mismatch' as const }));
    const notAwaited = this.notTried([...failures, ...others].map(({ node }) => node));
    return [...failures.map(failureOf), ...disagreeing, ...notAwaited];
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
    const reported = await Promise.all(polls);
    if (reported.includes(true)) recordHeads(nodes, this.settings.maxLagBlocks);
  }

  /**
   * Starts a probe if the last one is long ago. Needs no timer: without calls, no node needs to be known as lagging.
   */
  private probeIfDue(): void {
    if (this.nodeCount === 1 || this.now() - this.probedAtMs < this.settings.probeIntervalMs) return;
    void this.probe();
  }
}

function outcomeOf({ node, method, reply, ms }: CallReport): NodeOutcome {
  return { node: node.name, method, outcome: outcomeKindOf(reply), ms };
}

function outcomeKindOf(reply: NodeReply): NodeOutcome['outcome'] {
  if (reply.kind === 'failed') return reply.cause === 'superseded' ? 'aborted' : reply.failure.kind;
  return reply.kind === 'over-budget' ? 'too-large' : reply.kind;
}
