import { z } from 'zod';
import { headMethod } from '../../api/database-api';
import { HiveNodesUnavailableError } from '../../node/errors';
import { type HiveNodes, type NodeResult } from '../../node/hive-nodes';
import { BlockReader } from './block-reader';
import { LastIrreversibleBlock } from './last-irreversible-block';
import { ReadAhead, type ReadAheadOptions } from './read-ahead';

const idOf = (number: number): string => number.toString(16).padStart(8, '0').padEnd(40, '0');
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/**
 * A node that has the chain, and another that has it too, or stopped an hour ago at block 6 and does not respond to the
 * first query for its head. Block 12 has a header with extensions.
 */
class Nodes implements HiveNodes {
  readonly nodeCount = 2;
  readonly compared: unknown[] = [];
  comparisonMs = 0;
  isStopped = true;
  lastFetched = 0;
  private headQueries = 0;

  call(): Promise<never> {
    return Promise.reject(new Error('unused'));
  }

  callWithNode<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<NodeResult<T>> {
    const { starting_block_num: first, count } = range.parse(params);
    this.lastFetched = Math.max(this.lastFetched, first + count - 1);
    const parsed = result.safeParse(blocksOf(params));
    if (parsed.success) return Promise.resolve({ node: 'good', value: parsed.data });
    // The ids are not hashes.
    return Promise.reject(new HiveNodesUnavailableError(method, [{ node: 'good', kind: 'contradiction' }]));
  }

  async callWorkingNodes<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<readonly NodeResult<T>[]> {
    const isHead = method === headMethod;
    if (!isHead && this.comparisonMs > 0) await new Promise((resolve) => setTimeout(resolve, this.comparisonMs));
    const good = { node: 'good', value: result.parse(isHead ? headOf(100, Date.now()) : blocksOf(params)) };
    if (!isHead) this.compared.push(range.parse(params).starting_block_num);
    this.headQueries += isHead ? 1 : 0;
    if (!this.isStopped) return [good, { ...good, node: 'other' }];
    if (isHead && this.headQueries === 1) return [good];
    const value = result.parse(isHead ? headOf(6, Date.now() - 3_600_000) : { blocks: [] });
    return [good, { node: 'stopped', value }];
  }

  recordContradiction(): void {
    throw new Error('unused');
  }

  recordMismatch(): void {
    throw new Error('unused');
  }
}

const range = z.object({ starting_block_num: z.number(), count: z.number() });

function headOf(head: number, ms: number) {
  const irreversible = { last_irreversible_block_num: head - 1 };
  return { head_block_number: head, head_block_id: idOf(head), time: timeOf(ms), ...irreversible };
}

function blocksOf(params: unknown) {
  const { starting_block_num: first, count } = range.parse(params);
  return { blocks: Array.from({ length: count }, (_, index) => blockOf(first + index)) };
}

function blockOf(number: number) {
  const header = { timestamp: timeOf(0), witness: 'w', witness_signature: '00', extensions: number === 12 ? [{}] : [] };
  const body = { transaction_merkle_root: '0'.repeat(40), transactions: [], transaction_ids: [] };
  return { block_id: idOf(number), previous: idOf(number - 1), ...header, ...body };
}

let nodes: Nodes;
let errors: unknown[];
let ending: AbortController;

beforeEach(() => {
  jest.useFakeTimers();
  nodes = new Nodes();
  errors = [];
  ending = new AbortController();
});

afterEach(() => {
  ending.abort();
  jest.useRealTimers();
});

/** Reads the blocks after block 10. */
function read(batchBlocks: number, sizes: Partial<ReadAheadOptions> = {}): ReadAhead {
  const lastIrreversible = new LastIrreversibleBlock(nodes, {
    pollIntervalMs: 1_000,
    storageDelayMs: 0,
    onHead: () => undefined,
  });
  const reader = new BlockReader(nodes, [], lastIrreversible);
  const options = {
    endBlock: Infinity,
    batchBlocks,
    transactionBlocks: batchBlocks,
    readAheadBatches: 1,
    maxUncomparedRanges: 1,
    concurrentFetches: 2,
    isWanted: () => true,
    onNotCompared: () => undefined,
    firstPauseMs: 100,
    maxPauseMs: 1_000,
    onError: (error: unknown) => errors.push(error),
    signal: ending.signal,
    ...sizes,
  };
  return new ReadAhead(reader, lastIrreversible, options, { number: 10, id: idOf(10), timestamp: undefined });
}

/** The first batch; undefined if it is not there after ten seconds. */
async function readFirst(batchBlocks: number) {
  const next = read(batchBlocks).next();
  await jest.advanceTimersByTimeAsync(10_000);
  return Promise.race([next, Promise.resolve(undefined)]);
}

it('a comparison stops waiting for a node without the block when the node turns out to lag', async () => {
  expect(await readFirst(1)).toMatchObject([{ number: 11 }]);
  expect(String(errors[0])).toContain('no block 11');
});

it('the last block and each whose header has extensions are compared', async () => {
  expect(await readFirst(4)).toMatchObject([{ number: 11 }, { number: 12 }, { number: 13 }, { number: 14 }]);
  expect(new Set(nodes.compared)).toEqual(new Set([99, 12, 14, 18, 22]));
});

it('a slow comparison delays the blocks, but not each of them', async () => {
  nodes.isStopped = false;
  nodes.comparisonMs = 800;
  const batches = read(1, { maxUncomparedRanges: 40 });
  let lastRead = 10;
  const readAll = async (): Promise<void> => {
    for (;;) {
      const [block] = (await batches.next()) ?? [];
      if (block === undefined) return;
      lastRead = block.number;
    }
  };
  const reading = readAll();
  // Enough for seven comparisons. The last irreversible block is 99.
  await jest.advanceTimersByTimeAsync(6_000);
  expect(lastRead).toBe(99);
  expect(nodes.compared.length).toBeLessThan(10);
  ending.abort();
  await reading;
});

it('nothing is fetched beyond the ranges that may wait for a comparison', async () => {
  nodes.isStopped = false;
  nodes.comparisonMs = 800;
  const batches = read(1, { maxUncomparedRanges: 4 });
  void batches.next();
  await jest.advanceTimersByTimeAsync(700);
  // One range is compared, four wait, and the next one is fetched already.
  expect(nodes.lastFetched).toBe(16);
});

it('batches that were read meanwhile are returned together, up to the transaction limit', async () => {
  const batches = read(2, { transactionBlocks: 5, readAheadBatches: 4 });
  await jest.advanceTimersByTimeAsync(10_000);
  const numbersOf = async () => (await batches.next())?.map(({ number }) => number);
  expect(await numbersOf()).toEqual([11, 12, 13, 14]);
  expect(await numbersOf()).toEqual([15, 16, 17, 18]);
});
