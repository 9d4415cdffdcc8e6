import { setTimeout } from 'node:timers/promises';
import { waitLimitMs } from '../until';
import { type RedisServer } from './server';

/** Number of slots of a Redis Cluster. */
const slotsCount = 16_384;

/** A Redis Cluster whose nodes are all masters, without replicas, each with an equal share of the slots. */
export class RedisCluster {
  /** Use `startRedisCluster`. */
  constructor(readonly nodes: readonly RedisServer[]) {}

  /** The URLs of all nodes, divided by commas. */
  get url(): string {
    return this.nodes.map(({ url }) => url).join(',');
  }

  /** Gives each node its share of the slots and makes them known to one another. */
  async assemble(): Promise<void> {
    const share = slotsCount / this.nodes.length;
    for (const [i, node] of this.nodes.entries()) {
      await expectOk(
        node,
        // With different epochs the nodes need not resolve a conflict first.
        `CLUSTER SET-CONFIG-EPOCH ${i + 1}`,
        `CLUSTER ADDSLOTSRANGE ${Math.ceil(i * share)} ${Math.ceil((i + 1) * share) - 1}`,
      );
    }
    const [first, ...others] = this.nodes;
    if (first === undefined) return;
    for (const { port, busPort } of others) await expectOk(first, `CLUSTER MEET 127.0.0.1 ${port} ${busPort}`);
  }

  /**
   * Resolves when every node reports that all slots are served: at the start, and after killed or paused nodes are
   * back.
   *
   * @throws Error after a timeout
   */
  async whenWhole(): Promise<void> {
    const deadline = Date.now() + waitLimitMs;
    for (;;) {
      const states = await Promise.all(this.nodes.map((node) => node.command('CLUSTER INFO').catch(String)));
      if (states.every((state) => this.isWhole(state))) return;
      if (Date.now() > deadline) throw new Error(`the cluster is not whole: ${states.join(' | ')}`);
      await setTimeout(20);
    }
  }

  /** Ends all nodes for good. */
  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  private isWhole(state: string): boolean {
    return ['cluster_state:ok', `cluster_slots_ok:${slotsCount}`, `cluster_known_nodes:${this.nodes.length}`].every(
      (line) => state.includes(`${line}\r\n`),
    );
  }
}

async function expectOk(node: RedisServer, ...commands: string[]): Promise<void> {
  const reply = await node.command(...commands);
  if (reply !== '+OK\r\n'.repeat(commands.length)) throw new Error(`"${reply.trim()}" to ${commands.join(', ')}`);
}
