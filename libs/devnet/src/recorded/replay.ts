import { DevnetNode, type DevnetNodeOptions } from '../node/node';
import { type SoftwareName } from '../software';
import { type RecordedChain } from './recorded-chain';
import { ReplayedChain } from './replayed-chain';

export interface ReplayOptions extends Pick<DevnetNodeOptions, 'host' | 'port'> {
  /** The software of each node; default one of `hived`. The first one has the given port, the others the next ones. */
  readonly nodes?: readonly SoftwareName[];
  /** Number of the first head; default the last block. */
  readonly head?: number;
  /** Number of blocks that the last irreversible block is behind the head; default 1. */
  readonly reversibleBlocks?: number;
  /** Interval at which the head moves to the next block, in milliseconds; by default it moves only on request. */
  readonly blockIntervalMs?: number;
}

/** Nodes that serve a recorded chain. Always `stop()` it. */
export class Replay {
  private constructor(
    readonly chain: ReplayedChain,
    readonly nodes: readonly DevnetNode[],
    private readonly ticker: NodeJS.Timeout | undefined,
  ) {}

  /** @throws Error with code `EADDRINUSE` if the port is taken; RangeError if there is no block `head` */
  static async start(recorded: RecordedChain, options: ReplayOptions = {}): Promise<Replay> {
    const { nodes: software = ['hived'], head, reversibleBlocks = 1, blockIntervalMs, ...nodeOptions } = options;
    const chain = new ReplayedChain(recorded, head ?? recorded.last.number, reversibleBlocks);
    const nodes = await DevnetNode.startAll(chain, software, nodeOptions);
    const ticker = blockIntervalMs === undefined ? undefined : setInterval(() => chain.produceBlock(), blockIntervalMs);
    return new Replay(chain, nodes, ticker);
  }

  get urls(): readonly string[] {
    return this.nodes.map(({ url }) => url);
  }

  async stop(): Promise<void> {
    clearInterval(this.ticker);
    await Promise.all(this.nodes.map((node) => node.stop()));
  }
}
