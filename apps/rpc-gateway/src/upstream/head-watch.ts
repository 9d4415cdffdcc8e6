import { z } from 'zod';
import { type Backend } from './backend';
import { type ChainHead } from './chain-head';
import { BreakOff } from './post';
import { type UpstreamNode } from './upstream-node';

/** So soon after a node has a new block nothing of the one before is given out. A block comes every 3 s. */
const lookEveryMs = 250;
/** Every so many looks at the best node of a backend, all of its nodes are looked at. */
const looksPerRound = 4;
/** Longer than any node takes that is well. */
const answerMostMs = 1_500;
/** Half a minute of blocks. Healthy nodes differ by one or two. */
const lagMostBlocks = 10;

const headCall = { method: 'database_api.get_dynamic_global_properties', paramsText: '{}' };

const headResult = z.object({
  result: z.object({ head_block_number: z.int(), last_irreversible_block_num: z.int() }),
});

/** Asks the nodes how far they are: whether they answer, which ones lag, and when there is a new block. */
export class HeadWatch {
  private timer: NodeJS.Timeout | undefined;
  private looks = 0;
  private readonly beingAsked = new Set<UpstreamNode>();

  constructor(
    private readonly backends: readonly Backend[],
    private readonly head: ChainHead,
  ) {}

  /** Resolves after a first look at all nodes, whatever they say. */
  async start(): Promise<void> {
    this.timer = setInterval(() => {
      this.looks += 1;
      for (const backend of this.backends) void this.look(backend, this.looks % looksPerRound === 0);
    }, lookEveryMs);
    await Promise.all(this.backends.map((backend) => this.look(backend, true)));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(backend: Backend, atAll: boolean): Promise<void> {
    const best = backend.choose('head');
    const nodes = atAll ? this.worthAsking(backend) : backend.nodes.filter((node) => node === best);
    await Promise.all(nodes.filter((node) => !this.beingAsked.has(node)).map((node) => this.ask(node)));
    if (!atAll) return;
    this.compare(backend);
    const heads = this.backends.flatMap((each) => this.headsOf(each));
    if (heads.length > 0) this.head.isNotBeyond(Math.max(...heads.map(({ block }) => block)));
  }

  /** One that failed is left alone until its pause is over. */
  private worthAsking({ nodes }: Backend): UpstreamNode[] {
    const nowMs = performance.now();
    return nodes.filter(({ health }) => health.pausedUntilMs('head') <= nowMs);
  }

  private async ask(node: UpstreamNode): Promise<void> {
    this.beingAsked.add(node);
    const limit = new BreakOff();
    const timer = setTimeout(() => {
      limit.now();
    }, answerMostMs);
    const reply = await node.ask(headCall, limit, 'look');
    clearTimeout(timer);
    this.beingAsked.delete(node);
    // A node without that method is as good as it is.
    if (reply.kind === 'result') this.note(node, reply.member);
  }

  private note(node: UpstreamNode, member: string): void {
    const { success, data } = headResult.safeParse(JSON.parse(`{${member}}`));
    if (!success) return;
    const { head_block_number: block, last_irreversible_block_num: irreversibleBlock } = data.result;
    node.head = { block, irreversibleBlock };
    this.head.sawBlock(block);
  }

  /** Of nodes that are well: what another once said counts no longer. */
  private headsOf(backend: Backend) {
    return this.worthAsking(backend).flatMap(({ health, head }) =>
      head === undefined ? [] : [{ health, block: head.block }],
    );
  }

  private compare(backend: Backend): void {
    const heads = this.headsOf(backend);
    const highest = Math.max(...heads.map(({ block }) => block));
    for (const { health, block } of heads) health.sawHead(block, highest - block > lagMostBlocks);
  }
}
