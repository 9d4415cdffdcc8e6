import { type BackendSettings, type Route } from '../routes/route';
import { HedgeBudget } from './hedge-budget';
import { BreakOff } from './post';
import { ReadAttempts, tooMuchWaits, type UpstreamOutcome } from './read-attempts';
import { type OnReply, type UpstreamCall, UpstreamNode } from './upstream-node';

const none: readonly UpstreamNode[] = [];

/** A set of nodes that answer alike: the healthiest is asked, and of equally healthy ones that which has least to do. */
export class Backend {
  readonly name: string;
  readonly nodes: readonly UpstreamNode[];
  private readonly hedges: HedgeBudget;

  constructor(settings: BackendSettings, onReply: OnReply = () => undefined) {
    this.name = settings.name;
    this.nodes = settings.urls.map((url) => new UpstreamNode(new URL(url), settings, onReply));
    this.hedges = new HedgeBudget(settings.hedgePercent);
  }

  /** Never rejects. @param timeoutMs what is left of the route's */
  read(call: UpstreamCall, route: Route, timeoutMs: number): Promise<UpstreamOutcome> {
    this.hedges.countRead();
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
    for (let node = this.choose(none); node !== undefined; node = this.choose(tried)) {
      tried.push(node);
      const reply = await node.ask({ method, paramsText }, limit, 'write');
      outcome = { reply, node, head: undefined, attempts: tried.length };
      if (reply.kind !== 'fault' || reply.wasSent) break;
    }
    clearTimeout(timer);
    return outcome;
  }

  choose(except: readonly UpstreamNode[]): UpstreamNode | undefined {
    const nowMs = performance.now();
    let best: UpstreamNode | undefined;
    for (const node of this.nodes) {
      if (except.includes(node) || node.isFull) continue;
      if (best === undefined || (node.health.compare(best.health, nowMs) || node.load - best.load) < 0) best = node;
    }
    return best;
  }

  mayHedge(): boolean {
    return this.hedges.take();
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
  }
}
