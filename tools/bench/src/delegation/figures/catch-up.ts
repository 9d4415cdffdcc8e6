import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { nowSeconds } from '../../measure/load-time';
import { residentBytes } from '@waggle/testing';
import { numberText } from '../../measure/table';
import { takeTurns } from '../../measure/take-turns';
import { type DelegationBench, type Figure, runJob } from '../figure';
import { fetchResult } from '../jobs';
import { startIndexer } from '../service';

/** How often it is looked at how far the indexer is. */
const lookEveryMs = 20;

/** A catch-up that takes longer has come to a halt. */
const catchUpTimeoutMs = 600_000;

interface CatchUp {
  blocksPerSecond: number;
  /** The most resident memory in the second and in the last third of the blocks. */
  memory: { before: number; after: number };
}

/** What the indexer takes in in a second, beside fetching and parsing the same; and whether its memory grows with it. */
export const catchUp: Figure = {
  name: 'catch-up',
  async measure(bench) {
    const { stack, sizes, say } = bench;
    say(`  making a chain of ${numberText(sizes.blocks)} blocks`);
    const chain = await stack.chain();
    // The node remembers its answers from the first run on, so that run is slower than the others.
    if (sizes.runs > 1) await measureIndexer(bench);
    const results = await takeTurns(sizes.runs, {
      indexer: () => measureIndexer(bench),
      'fetch and parse': async (): Promise<CatchUp> => {
        const { blocks, seconds } = await runJob(bench, { kind: 'fetch', ...chain }, fetchResult);
        say(`  fetch and parse: ${numberText(blocks / seconds)} blocks/s`);
        return { blocksPerSecond: blocks / seconds, memory: { before: 0, after: 0 } };
      },
    });
    const speed = (name: string) => (results[name] ?? []).map(({ blocksPerSecond }) => blocksPerSecond);
    const memory = (which: 'before' | 'after') =>
      (results['indexer'] ?? []).map((result) => result.memory[which] / 2 ** 20);
    return [
      {
        key: 'catch-up',
        what: `catching up with ${numberText(sizes.blocks)} blocks`,
        unit: 'blocks/s',
        subject: 'indexer',
        readings: { indexer: speed('indexer'), 'fetch and parse': speed('fetch and parse') },
        thresholds: [{ against: 'fetch and parse', atLeast: 0.5 }],
      },
      {
        key: 'catch-up-memory',
        what: 'memory of the indexer in the last third of them',
        unit: 'MiB',
        subject: 'last third',
        readings: { 'last third': memory('after'), 'second third': memory('before') },
        thresholds: [{ against: 'second third', atMost: 1.15 }],
      },
    ];
  },
};

async function measureIndexer({ stack, say }: DelegationBench): Promise<CatchUp> {
  const { url, lastBlock } = await stack.chain();
  const databaseUrl = await stack.emptyDatabase();
  const indexer = await startIndexer(stack.running, databaseUrl, url);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    let first: { block: number; seconds: number } | undefined;
    const memory = { before: 0, after: 0 };
    const deadline = performance.now() + catchUpTimeoutMs;
    for (;;) {
      stack.running.signal.throwIfAborted();
      if (performance.now() > deadline) throw new Error('the indexer does not come to the end of the chain');
      const block = await syncedBlock(client);
      const bytes = residentBytes(indexer.pid);
      if (block > 0) first ??= { block, seconds: nowSeconds() };
      if (block > lastBlock / 3) {
        const which = block > (2 * lastBlock) / 3 ? 'after' : 'before';
        memory[which] = Math.max(memory[which], bytes);
      }
      if (first !== undefined && block >= lastBlock) {
        const blocksPerSecond = (block - first.block) / (nowSeconds() - first.seconds);
        const mib = (value: number) => `${Math.round(value / 2 ** 20)} MiB`;
        say(`  indexer: ${numberText(blocksPerSecond)} blocks/s, ${mib(memory.before)}, then ${mib(memory.after)}`);
        return { blocksPerSecond, memory };
      }
      await setTimeout(lookEveryMs);
    }
  } finally {
    await client.end();
    await indexer.discard();
  }
}

async function syncedBlock(client: Client): Promise<number> {
  const { rows } = await client.query<{ synced_block: string }>('SELECT synced_block FROM index_state');
  return Number(rows[0]?.synced_block ?? 0);
}
