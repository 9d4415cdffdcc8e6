import { type HiveBlock } from '../../api/block-api';
import { type BlockReader } from './block-reader';
import { RangePrefetch } from './range-prefetch';

/** Reads that the test ends. */
class Reads {
  readonly ranges: string[] = [];
  private readonly pending = new Map<string, PromiseWithResolvers>();

  readonly reader: Pick<BlockReader, 'readBlocks'> = {
    readBlocks: ({ number }, last) => {
      const range = `${number + 1}-${last}`;
      this.ranges.push(range);
      return new Promise((resolve, reject) => {
        this.pending.set(range, { resolve, reject });
      });
    },
  };

  /** @param last the last block that the node returns; default all of the range */
  succeed(range: string, last?: number): void {
    const [first = 0, end = 0] = range.split('-').map(Number);
    const blocks = Array.from({ length: (last ?? end) - first + 1 }, (_none, index) => blockOf(first + index));
    this.pending.get(range)?.resolve(blocks);
  }

  fail(range: string): void {
    this.pending.get(range)?.reject(new Error(`cannot read ${range}`));
  }
}

interface PromiseWithResolvers {
  resolve(blocks: readonly HiveBlock[]): void;
  reject(error: Error): void;
}

function blockOf(number: number): HiveBlock {
  return {
    number,
    id: '',
    previous: '',
    timestamp: new Date(0),
    witness: '',
    merkleRoot: '',
    hasExtensions: false,
    witnessSignature: '',
    transactions: [],
  };
}

const limits = { last: 45, rangeBlocks: 10, maxRanges: 3 };
const numbersOf = (blocks: readonly HiveBlock[]) => blocks.map(({ number }) => number);

let reads: Reads;
let prefetch: RangePrefetch;

beforeEach(() => {
  reads = new Reads();
  prefetch = new RangePrefetch(reads.reader, (block) => block);
});

it('fetches several ranges at the same time and returns them in order', async () => {
  const first = prefetch.next(10, limits);
  expect(reads.ranges).toEqual(['11-20', '21-30', '31-40']);
  reads.succeed('31-40');
  reads.succeed('21-30');
  reads.succeed('11-20');
  expect(numbersOf(await first)[0]).toBe(11);
  const second = prefetch.next(20, limits);
  expect(reads.ranges.slice(3)).toEqual(['41-45']);
  expect(numbersOf(await second)[0]).toBe(21);
  expect(numbersOf(await prefetch.next(30, limits))[0]).toBe(31);
});

it('fetches the rest of a range of which a node returns only the beginning', async () => {
  const first = prefetch.next(10, limits);
  reads.succeed('11-20', 14);
  expect(numbersOf(await first)).toEqual([11, 12, 13, 14]);
  const rest = prefetch.next(14, limits);
  reads.succeed('15-20');
  expect(numbersOf(await rest)).toEqual([15, 16, 17, 18, 19, 20]);
  reads.succeed('21-30');
  expect(numbersOf(await prefetch.next(20, limits))[0]).toBe(21);
});

it('reports an error when its range is requested', async () => {
  const first = prefetch.next(10, limits);
  reads.fail('21-30');
  reads.succeed('11-20');
  await first;
  await expect(prefetch.next(20, limits)).rejects.toThrow('cannot read 21-30');
});

it('fetches dropped ranges again', async () => {
  const first = prefetch.next(10, limits);
  reads.succeed('11-20');
  await first;
  prefetch.clear();
  void prefetch.next(20, { ...limits, rangeBlocks: 5, maxRanges: 1 });
  expect(reads.ranges.slice(3)).toEqual(['21-25']);
});
