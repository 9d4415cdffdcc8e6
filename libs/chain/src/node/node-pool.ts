import { type CallKind } from './call-kind';
import { HedgeBudget } from './hedge-budget';
import { type HiveNode, type NodeCall } from './hive-node';
import { NodeSet } from './node-set';
import { type NodeReply } from './node-reply';
import { type AttemptLimits, type CallOutcome, type NodeChoice, ReadAttempts, tooManyQueued } from './read-attempts';

export interface NodePoolOptions {
  /** The share of reads that may be hedged. */
  readonly hedgePercent: number;
  /** A number from 0 to 1; only tests need another than that of `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Interchangeable nodes. A read may be sent to several of them, a write to one. */
export class NodePool implements NodeChoice {
  private readonly set: NodeSet<HiveNode>;
  private readonly hedges: HedgeBudget;

  constructor(
    readonly nodes: readonly HiveNode[],
    { hedgePercent, random }: NodePoolOptions,
  ) {
    this.set = new NodeSet(nodes, random);
    this.hedges = new HedgeBudget(hedgePercent);
  }

  /** Never rejects. */
  read<R, E>(call: NodeCall<R, E>, limits: AttemptLimits): Promise<CallOutcome<R, E>> {
    this.hedges.countRead();
    this.sendTrial(call, limits.timeoutMs);
    return new ReadAttempts(call, limits, this).run();
  }

  /**
   * Sends a call to one node, once. Only if there was no connection, so that nothing was sent, another node is tried. Never
   * rejects.
   */
  async write<R, E>(call: NodeCall<R, E>, timeoutMs: number): Promise<CallOutcome<R, E>> {
    const called: HiveNode[] = [];
    const deadlineMs = performance.now() + timeoutMs;
    let reply: NodeReply<R, E> = tooManyQueued;
    let node = this.set.startTrial('write') ?? this.choose('write');
    for (; node !== undefined; node = this.choose('write', called)) {
      called.push(node);
      reply = await node.send({ ...call, timeoutMs: Math.max(1, deadlineMs - performance.now()) });
      if (reply.kind !== 'failed' || reply.wasSent) break;
    }
    return { reply, node: called.at(-1), head: undefined, called, failures: [] };
  }

  choose(kind: CallKind, except?: readonly HiveNode[]): HiveNode | undefined {
    return this.set.choose(kind, except, ({ isFull }) => isFull);
  }

  takeHedge(): boolean {
    return this.hedges.take();
  }

  /** The nodes that fail no calls of this kind; all if there are none. */
  working(kind: CallKind): readonly HiveNode[] {
    return this.set.working(kind);
  }

  /** In the order of their states, and as configured. */
  inOrder(): HiveNode[] {
    return this.set.inOrder();
  }

  /** Sends a copy of a read to a node whose pause is over, while another responds to the caller. */
  sendTrial<R, E>(call: NodeCall<R, E>, timeoutMs: number): void {
    const node = this.set.startTrial(call.kind);
    void node?.send({ ...call, budget: undefined, timeoutMs: call.timeoutMs ?? timeoutMs });
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
  }
}
