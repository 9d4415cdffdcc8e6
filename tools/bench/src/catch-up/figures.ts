import { type Measure } from '../measure/measure';
import { type Figure } from '../measure/run-bench';
import { numberText } from '../measure/table';
import { takeTurns } from '../measure/take-turns';
import { type CatchUpBench, slowMs } from './catch-up-bench';

interface Bench {
  readonly catchUp: CatchUpBench;
}

/** Blocks per second of an indexer and of the same fetching and parsing without a database, and whether memory grows. */
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

/** The minimum speed with two, three and four slow nodes, relative to one. */
const minSpeedups = [1.3, 1.6, 2];

/** How much faster an indexer catches up from several nodes that each take 50 ms for every response. */
export const slowNodesCatchUp: Figure<Bench> = {
  name: 'slow-nodes',
  async measure({ catchUp: bench }) {
    const { slowUrls } = await bench.chain();
    // Records the responses.
    if (bench.sizes.runs > 1) await bench.measureIndexer(slowUrls);
    const counts = Array.from({ length: bench.sizes.slowNodes }, (_none, index) => index + 1);
    const speeds = await takeTurns(
      bench.sizes.runs,
      Object.fromEntries(
        counts.map((count) => [
          nameOf(count),
          async () => (await bench.measureIndexer(slowUrls.slice(0, count))).blocksPerSecond,
        ]),
      ),
    );
    return minSpeedups.slice(0, counts.length - 1).map((atLeast, index): Measure => {
      const subject = nameOf(index + 2);
      const one = nameOf(1);
      return {
        key: `${index + 2}-slow-nodes`,
        what: `catching up from ${subject} of ${slowMs} ms`,
        unit: 'blocks/s',
        subject,
        readings: { [subject]: speeds[subject] ?? [], [one]: speeds[one] ?? [] },
        thresholds: [{ against: one, atLeast }],
      };
    });
  },
};

function nameOf(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes`;
}
