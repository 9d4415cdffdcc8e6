import { type Measure } from '../measure/measure';
import { type Figure } from '../measure/run-bench';
import { numberText } from '../measure/table';
import { takeTurns } from '../measure/take-turns';
import { type CatchUpBench, slowMs } from './catch-up-bench';

interface Bench {
  readonly catchUp: CatchUpBench;
}

/**
 * Blocks per second of an indexer and of the same fetching and parsing without a database, and whether memory grows.
 */
export const catchUp: Figure<Bench> = {
  name: 'catch-up',
  async measure({ catchUp: bench }) {
    const { runs, blocks } = bench.sizes;
    const { url } = await bench.chain();
    // The first run records the responses of the node, which makes it slower.
    if (runs > 1) await bench.measureIndexer([url]);
    const memory: Record<'secondThird' | 'lastThird', number[]> = { secondThird: [], lastThird: [] };
    const speeds = await takeTurns(runs, {
      indexer: async () => {
        const result = await bench.measureIndexer([url]);
        memory.secondThird.push(result.memory.secondThird / 2 ** 20);
        memory.lastThird.push(result.memory.lastThird / 2 ** 20);
        return result.blocksPerSecond;
      },
      'fetch and parse': () => bench.measureBaseline(),
    });
    return [
      {
        key: 'catch-up',
        what: `catching up with ${numberText(blocks)} blocks`,
        unit: 'blocks/s',
        subject: 'indexer',
        readings: speeds,
        thresholds: [{ against: 'fetch and parse', atLeast: 0.6 }],
      },
      {
        key: 'catch-up-memory',
        what: 'peak memory of the indexer in the last third',
        unit: 'MiB',
        subject: 'last third',
        readings: { 'last third': memory.lastThird, 'second third': memory.secondThird },
        thresholds: [{ against: 'second third', atMost: 1.15 }],
      },
    ];
  },
};

/** The minimum speed from slow nodes, relative to a node that responds at once. */
const minSlowSpeed = 0.8;
const fastNode = 'a fast node';

/** How fast an indexer catches up from one or several nodes that each take 50 ms for every response. */
export const slowNodesCatchUp: Figure<Bench> = {
  name: 'slow-nodes',
  async measure({ catchUp: bench }) {
    const { url, slowUrls } = await bench.chain();
    // Records the responses.
    if (bench.sizes.runs > 1) await bench.measureIndexer([url]);
    const counts = Array.from({ length: bench.sizes.slowNodes }, (_none, index) => index + 1);
    const measureFrom = (urls: readonly string[]) => async () => (await bench.measureIndexer(urls)).blocksPerSecond;
    const speeds = await takeTurns(bench.sizes.runs, {
      [fastNode]: measureFrom([url]),
      ...Object.fromEntries(counts.map((count) => [nameOf(count), measureFrom(slowUrls.slice(0, count))])),
    });
    return counts.map((count): Measure => {
      const subject = nameOf(count);
      return {
        key: `slow-nodes-${count}`,
        what: `catching up from ${subject} of ${slowMs} ms`,
        unit: 'blocks/s',
        subject,
        readings: { [subject]: speeds[subject] ?? [], [fastNode]: speeds[fastNode] ?? [] },
        thresholds: [{ against: fastNode, atLeast: minSlowSpeed }],
      };
    });
  },
};

function nameOf(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes`;
}
