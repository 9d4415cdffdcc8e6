import { setMaxListeners } from 'node:events';
import { type z } from 'zod';
import { dynamicGlobalProperties, headMethod } from '../api/database-api';
import {
  HiveClientClosedError,
  HiveNodesUnavailableError,
  type HiveRpcError,
  type NodeFailure,
  type NodeFault,
  type NodeFaultKind,
} from './errors';
import { type HiveNodes, type NodeResult } from './hive-api';
import { type CallKind, readKind } from './call-kind';
import { HedgeBudget } from './hedge-budget';
import { type HiveCall, HiveNode } from './hive-node';
import { fault, type NodeAnswer } from './json-rpc';
import { type CallFailure, type NodeChange, NodeHealth, type NodeState } from './node-health';
import { NodeSet } from './node-set';

export interface HiveClientOptions {
  /** Of Hive API nodes, `https:` or `http:`; of equal ones the first is preferred. Credentials are sent as Basic. */
  readonly urls: readonly string[];
  /** Time limit of a call to one node; default 5,000. */
  readonly timeoutMs?: number;
  /** Time limit of a call over all the nodes that are tried; default 15,000. */
  readonly overallTimeoutMs?: number;
  /** After how long a node that failed a call is tried again; each further failure doubles it. Default 1,000. */
  readonly cooldownMs?: number;
  /** The longest such time; default 5,000: a trial is a copy of one call, for which no caller waits. */
  readonly maxCooldownMs?: number;
  /**
   * How long a node that contradicted the chain, or itself, is not called beside others, in milliseconds; default 60,000. What else it
   * returns may be untrue in a way that nothing shows, such as a virtual operation that it leaves out.
   */
  readonly distrustMs?: number;
  /** How many blocks (of 3 s) the head of a node may be behind the highest; default 20. */
  readonly maxLagBlocks?: number;
  /** How often, at the most, the heads of several nodes are compared while calls are made; default 10,000. */
  readonly probeIntervalMs?: number;
  /** Longest answer that is read; default 32 MiB, which holds about a hundred full blocks. */
  readonly maxAnswerBytes?: number;
  /** Connections to each node at the most; default 32. */
  readonly maxConnections?: number;
  /**
   * Whether a call that is refused is a fault of the node, so that the next is asked: where every call is one that a node in
   * order answers. Default false: the call is at fault, and other nodes would refuse it too.
   */
  readonly refusalIsFault?: boolean;
  /** Told of each call to each node, for metrics and logs. Must not throw. */
  readonly onOutcome?: (outcome: NodeOutcome) => void;
  /** Called with each change of a node's state, for the log. Must not throw. */
  readonly onNodeChange?: (change: NodeChange) => void;
  /** A number from 0 to 1; only tests need another than that of `Math.random`. */
  readonly random?: () => number;
  /** The clock of pauses and probes: milliseconds that never go back. Only tests need another. */
  readonly now?: () => number;
}

/** Of Hive, in milliseconds. */
const blockIntervalMs = 3_000;

/** With less time than this left, a node is not worth asking. */
const leastLimitMs = 10;

/** How one call to one node ended. */
export interface NodeOutcome {
  /** Host and port. */
  readonly node: string;
  readonly method: string;
  /** `refused`, `not-served`: an answer, but a JSON-RPC error. `aborted`: another node had answered before. */
  readonly outcome: 'result' | 'not-served' | 'aborted' | NodeFaultKind;
  readonly ms: number;
}

/** What is known of a node at this moment. */
export interface NodeStatus {
  /** Host and port. */
  readonly node: string;
  readonly state: NodeState;
  /** Undefined before it was first asked, which is only done where there are several nodes. */
  readonly headBlock: number | undefined;
}

/** Share of the reads that may be sent to a second node while the first may still answer. */
const hedgePercent = 10;

/**
 * A read is hedged when it takes so many times as long as its node is expected to, and no sooner than that many
 * milliseconds: a node that does not answer then costs a reader a quarter of a second.
 */
const hedgeFactor = 3;
const minHedgeMs = 250;

/**
 * How long `callWorking` waits for each node, in milliseconds: several times as long as a distant public node takes for one block.
 * A node that takes longer is absent for ten times as long, so that waiting for it costs a tenth of the time at most.
 */
const compareTimeoutMs = 3_000;
const absentMs = 10 * compareTimeoutMs;

/** An attempt at a call that runs. */
interface Attempt<T> {
  readonly node: HiveNode;
  readonly ended: Promise<{ readonly attempt: Attempt<T>; readonly answer: NodeAnswer<T> }>;
}

/**
 * JSON-RPC 2.0 client for one or more Hive API nodes.
 *
 * A call goes to a usable node and, where that fails or is slow, to another. A node that fails calls of one kind gets no more of
 * them until a trial, which no caller waits for, has gone well; a lagging one comes after the others. When all are ejected, they
 * are tried all the same. For reading only: a call may reach more than one node.
 */
export class HiveClient implements HiveNodes {
  private readonly set: NodeSet<HiveNode>;
  private readonly hedges = new HedgeBudget(hedgePercent);
  private readonly closing = new AbortController();
  private readonly timeoutMs: number;
  private readonly overallTimeoutMs: number;
  private readonly distrustMs: number;
  private readonly maxLagBlocks: number;
  private readonly probeIntervalMs: number;
  private readonly refusalIsFault: boolean;
  private readonly onOutcome: ((outcome: NodeOutcome) => void) | undefined;
  private readonly now: () => number;
  private probing: Promise<void> | undefined;
  private probedAtMs = -Infinity;

  /** @throws RangeError if there is no URL, or one is none of a node; it does not repeat the URL. */
  constructor(options: HiveClientOptions) {
    // Every running call listens.
    setMaxListeners(0, this.closing.signal);
    if (options.urls.length === 0) throw new RangeError('at least one Hive API node is needed');
    const { cooldownMs = 1_000, maxCooldownMs = 5_000, onNodeChange: onChange } = options;
    const { maxAnswerBytes = 32 * 1024 * 1024, maxConnections = 32 } = options;
    const now = options.now ?? (() => performance.now());
    const pauses = { firstMs: cooldownMs, longestMs: maxCooldownMs };
    const nodes = options.urls.map(parseUrl).map((url) => {
      const health = new NodeHealth(url.host, { pauses, now, onChange });
      return new HiveNode(url, { maxAnswerBytes, maxConnections }, health);
    });
    this.set = new NodeSet(nodes, options.random);
    this.timeoutMs = options.timeoutMs ?? 5_000;
    this.overallTimeoutMs = options.overallTimeoutMs ?? 15_000;
    this.distrustMs = options.distrustMs ?? 60_000;
    this.maxLagBlocks = options.maxLagBlocks ?? 20;
    this.probeIntervalMs = options.probeIntervalMs ?? 10_000;
    this.refusalIsFault = options.refusalIsFault ?? false;
    this.onOutcome = options.onOutcome;
    this.now = now;
  }

  get nodeCount(): number {
    return this.set.nodes.length;
  }

  /**
   * @throws HiveRpcError if the call is refused
   * @throws HiveNodesUnavailableError if no node answers
   * @throws HiveClientClosedError if the client is closed
   */
  async call<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T> {
    const { value } = await this.callWithNode(method, params, result);
    return value;
  }

  /** As `call`, with the node that gave the result. */
  callWithNode<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<NodeResult<T>> {
    this.hedges.countRead();
    const call = { method, params, result, kind: readKind(method), timeoutMs: this.timeoutMs };
    return this.runCall(call, (signal) => this.attempt(call, signal));
  }

  /**
   * Waits up to 3 s for each node.
   *
   * @throws HiveNodesUnavailableError if no node answers
   * @throws HiveClientClosedError if the client is closed
   */
  callWorking<T>(
    method: string,
    params: unknown,
    result: z.ZodType<T>,
    kind: CallKind = readKind(method),
  ): Promise<readonly NodeResult<T>[]> {
    const call = { method, params, result, kind, timeoutMs: Math.min(this.timeoutMs, compareTimeoutMs) };
    return this.runCall(call, (signal) => this.attemptWorking(call, signal));
  }

  distrust(node: string, reason: string): void {
    this.fail(node, 'comparison', { kind: 'contradiction', detail: reason });
  }

  avoid(node: string, reason: string): void {
    this.fail(node, 'blocks', { kind: 'mismatch', detail: reason, retryAfterMs: avoidMs });
  }

  /**
   * Asks all nodes for their head block and marks those that lag. Calls start it by themselves, and
   * do not wait for it; a service may at its start. Never rejects.
   */
  probe(): Promise<void> {
    this.probing ??= this.compareHeads().finally(() => {
      this.probing = undefined;
    });
    return this.probing;
  }

  /** The usable nodes first, then those that lag, then those that fail calls of any kind. */
  status(): NodeStatus[] {
    return this.set.inOrder().map(({ name: node, health: { state, headBlock } }) => ({ node, state, headBlock }));
  }

  /** Aborts the running calls (they reject with `HiveClientClosedError`) and leaves no connection. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.set.nodes.map((node) => node.destroy()));
  }

  private fail(node: string, kind: CallKind, fault: NodeFault): void {
    for (const { name, health } of this.set.nodes)
      if (name === node) health.begin(kind).failed(failureOf(fault, kind, this.distrustMs));
  }

  /** Runs the work with a signal that is aborted when the work or the client ends. */
  private async runCall<T, R>(call: HiveCall<T>, work: (signal: AbortSignal) => Promise<R>): Promise<R> {
    this.throwIfClosed();
    this.probeIfDue();
    const tried = this.set.startTrial(call.kind);
    if (tried !== undefined) void this.ask(tried, call, call.timeoutMs, this.closing.signal);
    const ending = new AbortController();
    const end = (): void => {
      ending.abort();
    };
    this.closing.signal.addEventListener('abort', end);
    try {
      return await work(ending.signal);
    } finally {
      this.closing.signal.removeEventListener('abort', end);
      end();
    }
  }

  private async attemptWorking<T>(call: HiveCall<T>, signal: AbortSignal): Promise<readonly NodeResult<T>[]> {
    const asked = this.set.working(call.kind);
    const answers = await Promise.all(asked.map((node) => this.begin(node, call, call.timeoutMs, signal).ended));
    this.throwIfClosed();
    const results: NodeResult<T>[] = [];
    const failures: NodeFailure[] = [];
    for (const { attempt, answer } of answers) {
      if (answer.kind === 'result') results.push({ node: attempt.node.name, value: answer.value });
      else failures.push(failureOfNode(attempt.node, answer));
    }
    if (results.length > 0) return results;
    throw new HiveNodesUnavailableError(call.method, [...failures, ...this.notTried(asked)]);
  }

  private begin<T>(node: HiveNode, call: HiveCall<T>, limitMs: number, signal: AbortSignal): Attempt<T> {
    const ended = this.ask(node, call, limitMs, signal).then((answer) => ({ attempt, answer }));
    const attempt: Attempt<T> = { node, ended };
    return attempt;
  }

  /** Asks one node after the other, and one besides where it is slow, until one answers. */
  private async attempt<T>(call: HiveCall<T>, signal: AbortSignal): Promise<NodeResult<T>> {
    const deadlineMs = performance.now() + this.overallTimeoutMs;
    const { kind } = call;
    const asked: HiveNode[] = [];
    const running = new Set<Attempt<T>>();
    const failures: NodeFailure[] = [];
    let notServed: HiveRpcError | undefined;
    let mayHedge = this.set.nodes.length > 1;
    const begin = (): boolean => {
      const node = this.set.choose(kind, asked);
      const limitMs = Math.min(call.timeoutMs, deadlineMs - performance.now());
      if (node === undefined || limitMs < leastLimitMs) return false;
      asked.push(node);
      running.add(this.begin(node, call, limitMs, signal));
      return true;
    };
    while (running.size > 0 || begin()) {
      const [oldest] = running;
      const hedgeMs = mayHedge && oldest ? hedgeDelayMs(oldest.node, kind) : undefined;
      const ended = await firstOf(running, hedgeMs);
      this.throwIfClosed();
      if (ended === undefined) {
        mayHedge = false;
        if (this.hedges.take()) begin();
        continue;
      }
      const { attempt, answer } = ended;
      running.delete(attempt);
      if (answer.kind === 'result') return { node: attempt.node.name, value: answer.value };
      if (answer.kind === 'refused') throw answer.error;
      if (answer.kind === 'not-served') notServed = answer.error;
      if (answer.kind === 'fault') failures.push(failureOfNode(attempt.node, answer));
    }
    failures.push(...this.notTried(asked));
    // Where some nodes have no such method and the others fail, one of those that fail may have it.
    throw failures.length === 0 && notServed ? notServed : new HiveNodesUnavailableError(call.method, failures);
  }

  private notTried(asked: readonly HiveNode[]): NodeFailure[] {
    return this.set.nodes
      .filter((node) => !asked.includes(node))
      .map(({ name }) => ({ node: name, kind: 'not-tried' }));
  }

  private async ask<T>(
    node: HiveNode,
    call: HiveCall<T>,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<NodeAnswer<T>> {
    const startedMs = performance.now();
    const running = node.health.begin(call.kind);
    const given = await node.ask(call, limitMs, signal);
    const answer = given.kind === 'refused' && this.refusalIsFault ? faultOfRefusal(given.error) : given;
    // What was aborted by closing says nothing about the node.
    if (this.closing.signal.aborted) return answer;
    // A node that was given less than its time because the others took it is not to blame.
    const isCutShort = answer.kind === 'fault' && answer.fault.kind === 'timeout' && limitMs < call.timeoutMs;
    if (answer.kind === 'aborted' || isCutShort) running.abandoned();
    else if (answer.kind === 'fault') running.failed(failureOf(answer.fault, call.kind, this.distrustMs));
    else running.succeeded();
    const outcome = answer.kind === 'fault' ? answer.fault.kind : answer.kind;
    this.onOutcome?.({ node: node.name, method: call.method, outcome, ms: performance.now() - startedMs });
    return answer;
  }

  private throwIfClosed(): void {
    if (this.closing.signal.aborted) throw new HiveClientClosedError();
  }

  /** A node lags if its head is behind that of another and old by the clock: a head that is only claimed makes no other node lag. */
  private async compareHeads(): Promise<void> {
    this.probedAtMs = this.now();
    const asked = this.set.nodes.filter(({ health }) => health.pausedUntilMs('head') <= this.probedAtMs);
    const answers = await Promise.all(asked.map((node) => this.askHead(node)));
    const heads = answers.filter((head) => head !== undefined);
    const highest = Math.max(...heads.map(({ block }) => block));
    const oldestMs = Date.now() - this.maxLagBlocks * blockIntervalMs;
    for (const { health, block, timeMs } of heads)
      health.sawHead(block, highest - block > this.maxLagBlocks && timeMs < oldestMs);
  }

  private async askHead(node: HiveNode): Promise<{ health: NodeHealth; block: number; timeMs: number } | undefined> {
    const { timeoutMs } = this;
    const call = { method: headMethod, params: {}, result: dynamicGlobalProperties, kind: 'head' as const, timeoutMs };
    const answer = await this.ask(node, call, timeoutMs, this.closing.signal);
    if (answer.kind !== 'result') return undefined;
    const { headBlockNumber: block, time } = answer.value;
    return { health: node.health, block, timeMs: time.getTime() };
  }

  /** No timer: it matters to nobody which node lags while no call is made. */
  private probeIfDue(): void {
    if (this.set.nodes.length === 1 || this.now() - this.probedAtMs < this.probeIntervalMs) return;
    void this.probe();
  }
}

function hedgeDelayMs({ health }: HiveNode, kind: CallKind): number {
  return Math.max(minHedgeMs, hedgeFactor * health.latencyMs(kind));
}

/** Why this node gave no result. */
function failureOfNode({ name: node }: HiveNode, answer: NodeAnswer<unknown>): NodeFailure {
  if (answer.kind !== 'fault') return { node, kind: 'refused' };
  const { kind, detail } = answer.fault;
  return { node, kind, ...(detail === undefined ? {} : { detail }) };
}

/** The attempt that ends first; undefined if none does within this time. */
async function firstOf<T>(running: Iterable<Attempt<T>>, limitMs: number | undefined) {
  const attempts = Promise.race(Array.from(running, ({ ended }) => ended));
  if (limitMs === undefined) return attempts;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, limitMs, undefined);
  });
  try {
    return await Promise.race([attempts, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Too Many Requests: a limit of all calls of ours. */
const tooManyRequests = '429';

/** How long `avoid` lasts, in milliseconds: longer than a failed call ejects the other nodes, so that one of these is asked first. */
const avoidMs = 10_000;

function failureOf({ kind, detail, retryAfterMs = 0 }: NodeFault, callKind: CallKind, distrustMs: number): CallFailure {
  const isUntrue = kind === 'contradiction';
  const isAbsent = kind === 'timeout' && callKind === 'comparison';
  return {
    reason: detail === undefined ? kind : `${kind} (${detail})`,
    isOfWholeNode: isUntrue || kind === 'unreachable' || (kind === 'http-status' && detail === tooManyRequests),
    retryAfterMs: isUntrue ? distrustMs : isAbsent ? absentMs : retryAfterMs,
  };
}

/** So much of what a node says is told of it. */
const refusalTextMost = 100;

function faultOfRefusal({ code, rpcMessage }: HiveRpcError): NodeAnswer<never> {
  return fault('refused', `${code} ${rpcMessage.slice(0, refusalTextMost)}`);
}

function parseUrl(text: string, index: number): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new RangeError(`URL ${index + 1} of the Hive API nodes is none of http or https`);
}
