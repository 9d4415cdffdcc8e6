import { type HiveNode, polledNodes, readHead, recordHeads } from '@waggle/chain';
import { type Backend } from './backend';
import { type ChainHead } from './chain-head';

/**
 * Interval of polls, in milliseconds. A response may be served from the cache for that long after a new block. A block
 * comes every 3 s.
 */
const pollIntervalMs = 250;
/**
 * Number of polls in a round: one of them reads the heads of all nodes of a backend, the others only that of its best
 * node.
 */
const pollsPerRound = 4;
/** Time limit of a poll, in milliseconds: longer than a healthy node takes. */
const timeoutMs = 1_500;
/** Half a minute. Healthy nodes differ by one or two blocks. */
const maxLagBlocks = 10;

/** Polls the heads of the nodes: whether they respond, which ones lag or are ahead, and when there is a new block. */
export class HeadWatch {
  private timer: NodeJS.Timeout | undefined;
  private polls = 0;
  private readonly beingPolled = new Set<HiveNode>();
  private readonly nodes: readonly HiveNode[];

  constructor(
    private readonly backends: readonly Backend[],
    private readonly head: ChainHead,
  ) {
    this.nodes = backends.flatMap(({ nodes }) => nodes);
  }

  /** Resolves after a first poll of all nodes, even if it fails. */
  async start(): Promise<void> {
    this.timer = setInterval(() => {
      this.polls += 1;
      for (const backend of this.backends) void this.poll(backend, this.polls % pollsPerRound === 0);
    }, pollIntervalMs);
    await Promise.all(this.backends.map((backend) => this.poll(backend, true)));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * Reads the heads of the best node of a backend, or of all its nodes, except nodes that have not responded to the
   * last poll yet.
   */
  private async poll({ pool }: Backend, allNodes: boolean): Promise<void> {
    const best = pool.choose('head', [...this.beingPolled]);
    const nodes = allNodes ? polledNodes(pool.nodes) : pool.nodes.filter((node) => node === best);
    await Promise.all(nodes.filter((node) => !this.beingPolled.has(node)).map((node) => this.pollNode(node)));
  }

  /**
   * Reads the head of a node, and compares it with the heads of all backends at once: they follow the same chain, and a
   * slow node must not delay what the others report. A node without the method is healthy, but its head is unknown.
   */
  private async pollNode(node: HiveNode): Promise<void> {
    this.beingPolled.add(node);
    const isReported = await readHead(node, timeoutMs);
    this.beingPolled.delete(node);
    if (isReported) this.head.update(recordHeads(this.nodes, maxLagBlocks));
  }
}
