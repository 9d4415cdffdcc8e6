import { z } from 'zod';
import { type Backend } from './backend';
import { type ChainHead, type NodeHead } from './chain-head';
import { BreakOff } from './post';
import { type UpstreamNode } from './upstream-node';

/** Also how long a response may be served from the cache after a new block. A block comes every 3 s. */
const pollIntervalMs = 250;
/** Of this many polls, one is of all nodes of a backend, the others of its best node. */
const pollsPerRound = 4;
/** Longer than a healthy node takes. */
const timeoutMs = 1_500;
/** Half a minute. Healthy nodes differ by one or two blocks. */
const maxLagBlocks = 10;

const headCall = { method: 'database_api.get_dynamic_global_properties', paramsText: '{}' };

const headResult = z.object({
  result: z.object({ head_block_number: z.int(), last_irreversible_block_num: z.int() }),
});

/** Polls the heads of the nodes: whether they respond, which ones lag, and when there is a new block. */
export class HeadWatch {
  private timer: NodeJS.Timeout | undefined;
  private polls = 0;
  private readonly polled = new Set<UpstreamNode>();

  constructor(
    private readonly backends: readonly Backend[],
    private readonly head: ChainHead,
  ) {}

  /** Resolves after a first poll of all nodes, whatever its outcome. */
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

  private async poll(backend: Backend, allNodes: boolean): Promise<void> {
    const best = backend.choose('head');
    const nodes = allNodes ? this.available(backend) : backend.nodes.filter((node) => node === best);
    await Promise.all(nodes.filter((node) => !this.polled.has(node)).map((node) => this.pollNode(node)));
    if (!allNodes) return;
    this.compare(backend);
    this.head.limitTo(this.backends.flatMap((each) => this.headsOf(each)).map(({ head }) => head));
  }

  /** Leaves out failed nodes until their pause is over. */
  private available({ nodes }: Backend): UpstreamNode[] {
    const nowMs = performance.now();
    return nodes.filter(({ health }) => health.pausedUntilMs('head') <= nowMs);
  }

  private async pollNode(node: UpstreamNode): Promise<void> {
    this.polled.add(node);
    const limit = new BreakOff();
    const timer = setTimeout(() => {
      limit.now();
    }, timeoutMs);
    const reply = await node.ask(headCall, limit, 'look');
    clearTimeout(timer);
    this.polled.delete(node);
    // A node without this method is healthy, but its head is unknown.
    if (reply.kind === 'result') this.report(node, reply.member);
  }

  private report(node: UpstreamNode, member: string): void {
    const { success, data } = headResult.safeParse(JSON.parse(`{${member}}`));
    if (!success) return;
    const { head_block_number: block, last_irreversible_block_num: irreversibleBlock } = data.result;
    const head: NodeHead = { block, irreversibleBlock };
    node.head = head;
    this.head.report(head);
  }

  /** The heads of available nodes: those of others are out of date. */
  private headsOf(backend: Backend) {
    return this.available(backend).flatMap(({ health, head }) => (head === undefined ? [] : [{ health, head }]));
  }

  private compare(backend: Backend): void {
    const heads = this.headsOf(backend);
    const highest = Math.max(...heads.map(({ head }) => head.block));
    for (const { health, head } of heads) health.sawHead(head.block, highest - head.block > maxLagBlocks);
  }
}
