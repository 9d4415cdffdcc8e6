import { type CallKind } from './call-kind';
import { type NodeHealth, type NodeState } from './health/node-health';

/** A node whose health is tracked. */
export interface TrackedNode {
  readonly health: NodeHealth;
}

const ranks: Readonly<Record<NodeState, number>> = { usable: 0, lagging: 1, ahead: 2, ejected: 3 };

/**
 * Chooses nodes for calls: of two random usable ones the one that costs less ("power of two choices": every client at
 * once would call the best of all). Nodes whose head does not agree with the others come after the usable ones, ejected
 * ones last, so that there is always one.
 */
export class NodeSelector<Node extends TrackedNode> {
  /** @param random replaced only in tests */
  constructor(
    readonly nodes: readonly Node[],
    private readonly random: () => number = Math.random,
  ) {}

  /** Chooses a node that is not among these, and is not full. */
  choose(
    kind: CallKind,
    except: readonly Node[] = [],
    isFull: (node: Node) => boolean = () => false,
  ): Node | undefined {
    let best: number = ranks.ejected;
    let candidates: Node[] = [];
    for (const node of this.nodes) {
      if (except.includes(node) || isFull(node)) continue;
      const nodeRank = rank(node, kind);
      if (nodeRank > best) continue;
      if (nodeRank < best) candidates = [];
      best = nodeRank;
      candidates.push(node);
    }
    return best === ranks.ejected ? soonest(candidates, kind) : this.cheaperOfTwo(candidates, kind);
  }

  /** The nodes that are not ejected for this kind of call; all nodes if every one is. */
  working(kind: CallKind): readonly Node[] {
    const working = this.nodes.filter((node) => rank(node, kind) < ranks.ejected);
    return working.length > 0 ? working : this.nodes;
  }

  /**
   * Returns a node that may have recovered, because its pause is over or it was slow some time ago; undefined if no
   * other node responds. A copy of a read is sent to it, so that no caller waits for it. A write cannot be copied: it
   * is sent to a paused node alone. The trial ends with the `RunningCall`.
   */
  startTrial(kind: CallKind): Node | undefined {
    if (!this.nodes.some((node) => rank(node, kind) < ranks.ejected)) return undefined;
    const paused = this.nodes.find(({ health }) => health.startTrial(kind));
    return paused ?? (kind === 'write' ? undefined : this.findFormerlySlow(kind));
  }

  /** A slower node gets hardly any calls, so that its recovery would not be noticed. */
  private findFormerlySlow(kind: CallKind): Node | undefined {
    const stale = this.nodes.find((node) => node.health.isLatencyStale(kind) && rank(node, kind) === ranks.usable);
    if (stale === undefined) return undefined;
    const usable = this.nodes.filter((node) => rank(node, kind) === ranks.usable);
    const fastestMs = Math.min(...usable.map(({ health }) => health.latencyMs(kind)));
    return stale.health.latencyMs(kind) > fastestMs ? stale : undefined;
  }

  /** Returns all nodes by state: usable, lagging, ahead, ejected; within a state, in the order of the configuration. */
  inOrder(): Node[] {
    return [...this.nodes].sort((one, other) => ranks[one.health.state] - ranks[other.health.state]);
  }

  private cheaperOfTwo(candidates: readonly Node[], kind: CallKind): Node | undefined {
    if (candidates.length === 1) return candidates[0];
    const first = Math.floor(this.random() * candidates.length);
    const offset = 1 + Math.floor(this.random() * (candidates.length - 1));
    const second = (first + offset) % candidates.length;
    const [one, other] = [candidates[Math.min(first, second)], candidates[Math.max(first, second)]];
    if (one === undefined || other === undefined) return one;
    return other.health.cost(kind) < one.health.cost(kind) ? other : one;
  }
}

function rank({ health }: TrackedNode, kind: CallKind): number {
  return ranks[health.stateFor(kind)];
}

function soonest<Node extends TrackedNode>(nodes: readonly Node[], kind: CallKind): Node | undefined {
  const pauseEnd = (node: Node) => node.health.pausedUntilMs(kind);
  return nodes.reduce<Node | undefined>(
    (best, node) => (best === undefined || pauseEnd(node) < pauseEnd(best) ? node : best),
    undefined,
  );
}
