import { type z } from 'zod';
import { type ComparedNodes } from '../api/hive-api';
import { HiveClientClosedError, HiveNodesUnavailableError, type HiveRpcError, type NodeFailure } from './errors';
import { type CallKind, readKind } from './call-kind';
import { polledNodes, readHead, recordHeads } from './health/head-probe';
import { recordOwnCalls } from './record-reply';
import { type HiveNodes, type NodeResult } from './hive-nodes';
import { type CallReport, HiveNode, type NodeCall } from './hive-node';
import { MajorityVote } from './majority-vote';
import { resultReader } from './http/json-rpc';
import { type CallFailure, NodeHealth, type NodeState } from './health/node-health';
import { NodePool } from './node-pool';
import { failureOf, type NodeReply } from './node-reply';
import {
  avoidMs,
  compareTimeoutMs,
  hedgeFactor,
  hedgePercent,
  type HiveClientOptions,
  type HiveClientSettings,
  minHedgeMs,
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
  /** Undefined before it was first read, which needs several nodes. */
  readonly headBlock: number | undefined;
}

/**
 * JSON-RPC 2.0 client for one or more Hive API nodes.
 *
 * A call goes to a usable node and, if that fails or is slow, to another. A node that fails calls of one kind gets no
 * others of that kind until a trial succeeds. No caller waits for a trial. Nodes whose head does not agree with the
 * others come later. If all are ejected, they are called anyway. For reading only: a call may reach more than one node.
 */
export class HiveClient implements HiveNodes, ComparedNodes {
  private readonly pool: NodePool;
  private readonly settings: HiveClientSettings;
  private readonly now: () => number;
  private isClosed = false;
  private probing: Promise<void> | undefined;
  private probedAtMs = -Infinity;

  /** @throws RangeError if there is no URL, or one is neither http nor https; its message does not contain the URL. */
  constructor(options: HiveClientOptions) {
    if (options.urls.length === 0) throw new RangeError('at least one Hive API node is needed');
    this.settings = settingsOf(options);
    const { firstPauseMs, maxPauseMs, distrustMs, maxResponseBytes, maxConnections, maxQueued } = this.settings;
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
      recordReply: recordOwnCalls(distrustMs),
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
   * Waits for each node up to the time limit of a call. An ejected node is called only if the others do not agree, or
   * not within 250 ms.
   *
   * @throws HiveNodesUnavailableError if no result has a majority
   * @throws HiveClientClosedError if the client is closed
   */
  async majority<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T> {
    const kind = 'vote';
    const call = this.begin(method, params, result, kind, this.settings.timeoutMs);
    this.pool.sendTrial(call, this.settings.timeoutMs);
    const { nodes } = this.pool;
    const working = this.pool.working(kind);
    const first = working.length > nodes.length / 2 ? working : nodes;
    const outcome = await new MajorityVote(call, { nodes, first, delayMs: minHedgeMs }).run();
    this.throwIfClosed();
    const { majority: [vote] = [], others, failures } = outcome;
    if (vote === undefined) {
      const disagreeing = others.map(({ node }) => ({ node: node.name, kind: 'mismatch' as const }));
      const unneeded = this.notTried([...failures, ...others].map(({ node }) => node));
      throw new HiveNodesUnavailableError(method, [...failures.map(failureOf), ...disagreeing, ...unneeded]);
    }
    for (const { node } of others) {
      node.health.begin(kind).failed({ reason: 'mismatch (most nodes return another result)', retryAfterMs: avoidMs });
    }
    return vote.result;
  }

  /**
   * Waits up to 3 s for each node.
   *
   * @throws HiveRpcError if every node rejects the call or lacks the method
   * @throws HiveNodesUnavailableError if no node gives a result, and not all of them reject the call
   * @throws HiveClientClosedError if the client is closed
   */
  async callWorkingNodes<T>(
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
    const rpcErrors = replies.flatMap(({ reply }) =>
      reply.kind === 'rejected' || reply.kind === 'not-served' ? [reply.error] : [],
    );
    const [rpcError] = rpcErrors;
    if (rpcError !== undefined && rpcErrors.length === this.nodeCount) throw rpcError;
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
   * Reads the heads of all nodes, and marks those that do not agree with the others. Calls start it without waiting for
   * it; a service may await it when it starts. Never rejects.
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
    const pool = kind === 'account list' ? 'list' : 'read';
    return { method, paramsText: JSON.stringify(params), kind, pool, read, timeoutMs };
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

function outcomeOf({ node, method, reply, ms }: CallReport): NodeOutcome {
  return { node: node.name, method, outcome: outcomeKindOf(reply), ms };
}

function outcomeKindOf(reply: NodeReply): NodeOutcome['outcome'] {
  if (reply.kind === 'failed') return reply.cause === 'superseded' ? 'aborted' : reply.failure.kind;
  return reply.kind === 'over-budget' ? 'too-large' : reply.kind;
}
