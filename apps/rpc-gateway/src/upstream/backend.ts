import { type CallKind, HedgeBudget, type NodeChange, NodeSet, readKind } from '@waggle/chain';
import { type BackendSettings, type Route } from '../routes/route';
import { BreakOff } from './post';
import { ReadAttempts, tooMuchWaits, type UpstreamOutcome } from './read-attempts';
import { type OnReply, type UpstreamCall, UpstreamNode } from './upstream-node';

/** A set of nodes that answer alike. A read may be sent to several of them, a write to one. */
export class Backend {
  readonly name: string;
  readonly nodes: readonly UpstreamNode[];
  private readonly set: NodeSet<UpstreamNode>;
  private readonly hedges: HedgeBudget;

  constructor(settings: BackendSettings, onReply: OnReply = () => undefined, onChange?: (change: NodeChange) => void) {
    this.name = settings.name;
    this.nodes = settings.urls.map((url) => new UpstreamNode(new URL(url), settings, onReply, onChange));
    this.set = new NodeSet(this.nodes);
    this.hedges = new HedgeBudget(settings.hedgePercent);
  }

  /** Never rejects. @param timeoutMs what is left of the route's */
  read(call: UpstreamCall, route: Route, timeoutMs: number): Promise<UpstreamOutcome> {
    this.hedges.countRead();
    this.tryAgain(call, route);
    return new ReadAttempts(call, route, timeoutMs, this).run();
  }

  /**
   * Sends a call to one node, once. Only where there was no connection, so that nothing was sent, another node is tried.
   * Its answer takes no room: it says that the node has taken the call, which nothing else would. Never rejects.
   */
  async write({ method, paramsText }: UpstreamCall, { timeoutMs }: Route): Promise<UpstreamOutcome> {
    const limit = new BreakOff();
    const timer = setTimeout(() => {
      limit.now();
    }, timeoutMs);
    const tried: UpstreamNode[] = [];
    let outcome: UpstreamOutcome = { reply: tooMuchWaits, node: undefined, head: undefined, attempts: 0 };
    let node = this.set.startTrial('write') ?? this.choose('write');
    for (; node !== undefined; node = this.choose('write', tried)) {
      tried.push(node);
      const reply = await node.ask({ method, paramsText }, limit, 'write');
      outcome = { reply, node, head: undefined, attempts: tried.length };
      if (reply.kind !== 'fault' || reply.wasSent) break;
    }
    clearTimeout(timer);
    return outcome;
  }

  /** The node to ask next that is not among these and has room for a call. */
  choose(kind: CallKind, except?: readonly UpstreamNode[]): UpstreamNode | undefined {
    return this.set.choose(kind, except, ({ isFull }) => isFull);
  }

  /** Sends a copy of a read to a node whose pause is over, while another answers the caller. */
  private tryAgain({ method, paramsText }: UpstreamCall, { timeoutMs }: Route): void {
    const node = this.set.startTrial(readKind(method));
    if (node === undefined) return;
    const limit = new BreakOff();
    const timer = setTimeout(() => {
      limit.now();
    }, timeoutMs);
    void node.ask({ method, paramsText }, limit, 'read').finally(() => {
      clearTimeout(timer);
    });
  }

  mayHedge(): boolean {
    return this.hedges.take();
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
  }
}
