import { type CallKind } from './call-kind';
import { HedgeBudget } from './hedge-budget';
import { type HiveNode } from './hive-node';
import { isSentOnce, type NodeCall } from './node-call';
import { NodeSelector } from './node-selector';
import { type NodeReply } from './node-reply';
import { type AttemptLimits, type CallOutcome, type NodeChoice, ReadAttempts, tooManyQueued } from './read-attempts';

export interface NodePoolOptions {
  /** The percentage of reads that may be hedged: sent to a second node before the first responds. */
  readonly hedgePercent: number;
  /** Returns a number in [0, 1), as `Math.random`; replaced only in tests. */
  readonly random?: (() => number) | undefined;
}

/**
 * Interchangeable nodes, as `HiveClient` and the backends of the gateway call them. A read may be sent to several, a
 * write to one. `NodeSelector` chooses them.
 */
export class NodePool implements NodeChoice {
  private readonly selector: NodeSelector<HiveNode>;
  private readonly hedges: HedgeBudget;

  constructor(
    readonly nodes: readonly HiveNode[],
    { hedgePercent, random }: NodePoolOptions,
  ) {
    this.selector = new NodeSelector(nodes, random);
    this.hedges = new HedgeBudget(hedgePercent);
  }

  /** Sends a read to a node, and to others if that fails or is slow. Never rejects. */
  read<R, E>(call: NodeCall<R, E>, limits: AttemptLimits): Promise<CallOutcome<R, E>> {
    this.hedges.countRead();
    if (!isSentOnce(call)) this.sendTrial(call, limits.timeoutMs);
    return new ReadAttempts(call, limits, this).run();
  }

  /**
   * Sends a call to one node. Tries another one only if nothing was sent, because there was no connection. If a paused
   * node is due for a trial, this call is the trial. Never rejects.
   */
  async write<R, E>(call: NodeCall<R, E>, timeoutMs: number): Promise<CallOutcome<R, E>> {
    const called: HiveNode[] = [];
    const deadlineMs = performance.now() + timeoutMs;
    let reply: NodeReply<R, E> = tooManyQueued;
    let node = this.selector.startTrial('write') ?? this.choose('write');
    for (; node !== undefined; node = this.choose('write', called)) {
      called.push(node);
      reply = await node.send({ ...call, timeoutMs: Math.max(1, deadlineMs - performance.now()) });
      if (reply.kind !== 'failed' || reply.wasSent) break;
    }
    return { reply, node: called.at(-1), head: undefined, called, failures: [] };
  }

  choose(kind: CallKind, except?: readonly HiveNode[]): HiveNode | undefined {
    return this.selector.choose(kind, except, ({ isFull }) => isFull);
  }

  lackingApi(api: string): HiveNode[] {
    const lacking = this.nodes.filter((node) => node.lacksApi(api));
    return lacking.length < this.nodes.length ? lacking : [];
  }

  takeHedge(): boolean {
    return this.hedges.take();
  }

  /** The nodes that are not ejected for this kind of call; all nodes if every one is. */
  working(kind: CallKind): readonly HiveNode[] {
    return this.selector.working(kind);
  }

  /** Returns all nodes by state: usable, lagging, ahead, ejected; within a state, in the order of the configuration. */
  inOrder(): HiveNode[] {
    return this.selector.inOrder();
  }

  /**
   * Sends a copy of a read to a node that is due for a trial, if there is one. Only the node's record depends on its
   * reply.
   */
  sendTrial<R, E>(call: NodeCall<R, E>, timeoutMs: number): void {
    const node = this.selector.startTrial(call.kind);
    // The caller's budget pays for its own response only.
    void node?.send({ ...call, budget: undefined, timeoutMs: call.timeoutMs ?? timeoutMs });
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
  }
}
