import { type z } from 'zod';
import { dynamicGlobalProperties, headMethod } from '../api/database-api';
import {
  HiveClientClosedError,
  HiveNodesUnavailableError,
  type HiveRpcError,
  type NodeFailure,
  type NodeFaultKind,
} from './errors';
import { type HiveApi } from './hive-api';
import { HiveNode } from './hive-node';
import { fault, type NodeAnswer } from './json-rpc';
import { NodeHealth, type NodeState } from './node-health';

export interface HiveClientOptions {
  /** Of Hive API nodes, `https:` or `http:`, in the order in which equally healthy ones are tried. Credentials are sent as Basic. */
  readonly urls: readonly string[];
  /** Time limit of a call to one node; default 5,000. */
  readonly timeoutMs?: number;
  /** Time limit of a call over all the nodes that are tried; default 15,000. */
  readonly overallTimeoutMs?: number;
  /** How long a node is put aside when it first fails; each further failure doubles it. Default 1,000. */
  readonly cooldownMs?: number;
  /** Longest time a node is put aside; default 60,000. */
  readonly maxCooldownMs?: number;
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
  /** The clock of pauses and probes: milliseconds that never go back. Only tests need another. */
  readonly now?: () => number;
}

/** With less time than this left, a node is not worth asking. */
const leastLimitMs = 10;

/** How one call to one node ended. */
export interface NodeOutcome {
  /** Host and port. */
  readonly node: string;
  readonly method: string;
  /** `refused`, `not-served`: an answer, but a JSON-RPC error. */
  readonly outcome: 'result' | 'not-served' | NodeFaultKind;
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

interface Member {
  readonly node: HiveNode;
  readonly health: NodeHealth;
}

/**
 * JSON-RPC 2.0 client for one or more Hive API nodes.
 *
 * A call goes to the healthiest node and, where that fails, to the next. A failing node is put aside for a while, a
 * lagging one until it has caught up; when all are, they are tried all the same. For reading only: a call may reach more
 * than one node.
 */
export class HiveClient implements HiveApi {
  private readonly members: readonly Member[];
  private readonly timeoutMs: number;
  private readonly overallTimeoutMs: number;
  private readonly maxLagBlocks: number;
  private readonly probeIntervalMs: number;
  private readonly refusalIsFault: boolean;
  private readonly onOutcome: ((outcome: NodeOutcome) => void) | undefined;
  private readonly now: () => number;
  private probing: Promise<void> | undefined;
  private probedAtMs = -Infinity;
  private closed = false;

  /** @throws RangeError if there is no URL, or one is none of a node; it does not repeat the URL. */
  constructor(options: HiveClientOptions) {
    if (options.urls.length === 0) throw new RangeError('at least one Hive API node is needed');
    const {
      cooldownMs = 1_000,
      maxCooldownMs = 60_000,
      maxAnswerBytes = 32 * 1024 * 1024,
      maxConnections = 32,
    } = options;
    this.members = options.urls.map(parseUrl).map((url) => ({
      node: new HiveNode(url, { maxAnswerBytes, maxConnections }),
      health: new NodeHealth({ firstMs: cooldownMs, longestMs: maxCooldownMs }),
    }));
    this.timeoutMs = options.timeoutMs ?? 5_000;
    this.overallTimeoutMs = options.overallTimeoutMs ?? 15_000;
    this.maxLagBlocks = options.maxLagBlocks ?? 20;
    this.probeIntervalMs = options.probeIntervalMs ?? 10_000;
    this.refusalIsFault = options.refusalIsFault ?? false;
    this.onOutcome = options.onOutcome;
    this.now = options.now ?? (() => performance.now());
  }

  /**
   * @throws HiveRpcError if the call is refused
   * @throws HiveNodesUnavailableError if no node answers
   * @throws HiveClientClosedError if the client is closed
   */
  async call<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T> {
    this.throwIfClosed();
    this.probeIfDue();
    const deadlineMs = performance.now() + this.overallTimeoutMs;
    const failures: NodeFailure[] = [];
    let notServed: HiveRpcError | undefined;
    for (const member of this.inOrderOfHealth()) {
      const limitMs = Math.min(this.timeoutMs, deadlineMs - performance.now());
      if (limitMs < leastLimitMs) {
        failures.push({ node: member.node.name, kind: 'not-tried' });
        continue;
      }
      const answer = await this.ask(member, method, params, result, limitMs);
      this.throwIfClosed();
      if (answer.kind === 'result') return answer.value;
      if (answer.kind === 'refused') throw answer.error;
      if (answer.kind === 'fault') failures.push({ node: member.node.name, ...answer.fault });
      else notServed = answer.error;
    }
    // Where some nodes have no such method and the others fail, one of those that fail may have it.
    throw failures.length === 0 && notServed ? notServed : new HiveNodesUnavailableError(method, failures);
  }

  /**
   * Asks the nodes that are not aside for their head block and marks those that lag. Calls start it by themselves, and
   * do not wait for it; a service may at its start. Never rejects.
   */
  probe(): Promise<void> {
    this.probing ??= this.compareHeads().finally(() => {
      this.probing = undefined;
    });
    return this.probing;
  }

  /** In the order in which the next call would try them. */
  status(): NodeStatus[] {
    const nowMs = this.now();
    return this.inOrderOfHealth().map(({ node, health }) => ({
      node: node.name,
      state: health.stateAt(nowMs),
      headBlock: health.headBlock,
    }));
  }

  /** Breaks off the calls under way (they reject with `HiveClientClosedError`) and leaves no connection. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.members.map(({ node }) => node.destroy()));
  }

  private async ask<T>(
    { node, health }: Member,
    method: string,
    params: unknown,
    result: z.ZodType<T>,
    limitMs: number,
  ): Promise<NodeAnswer<T>> {
    const askedAtMs = this.now();
    const startedMs = performance.now();
    const given = await node.ask(method, params, result, limitMs);
    const answer = given.kind === 'refused' && this.refusalIsFault ? faultOfRefusal(given.error) : given;
    // What was broken off by closing says nothing about the node.
    if (this.closed) return answer;
    if (answer.kind !== 'fault') health.answered(askedAtMs);
    // A node that was given less than its time because the others took it is not to blame.
    else if (answer.fault.kind !== 'timeout' || limitMs >= this.timeoutMs) health.failed(this.now());
    const outcome = answer.kind === 'fault' ? answer.fault.kind : answer.kind;
    this.onOutcome?.({ node: node.name, method, outcome, ms: performance.now() - startedMs });
    return answer;
  }

  private throwIfClosed(): void {
    if (this.closed) throw new HiveClientClosedError();
  }

  private async compareHeads(): Promise<void> {
    this.probedAtMs = this.now();
    const asked = this.members.filter(({ health }) => health.stateAt(this.probedAtMs) !== 'aside');
    const answers = await Promise.all(asked.map((member) => this.askHead(member)));
    const heads = answers.filter((head) => head !== undefined);
    const highest = Math.max(...heads.map(({ block }) => block));
    for (const { health, block } of heads) health.sawHead(block, highest - block > this.maxLagBlocks);
  }

  private async askHead(member: Member): Promise<{ health: NodeHealth; block: number } | undefined> {
    const answer = await this.ask(member, headMethod, {}, dynamicGlobalProperties, this.timeoutMs);
    return answer.kind === 'result' ? { health: member.health, block: answer.value.headBlockNumber } : undefined;
  }

  /** Array.sort is stable: equally healthy nodes stay in the order of the configuration. */
  private inOrderOfHealth(): Member[] {
    const nowMs = this.now();
    return [...this.members].sort((one, other) => one.health.compare(other.health, nowMs));
  }

  /** No timer: nobody needs to know which node lags while no call is made. */
  private probeIfDue(): void {
    if (this.members.length === 1 || this.now() - this.probedAtMs < this.probeIntervalMs) return;
    void this.probe();
  }
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
