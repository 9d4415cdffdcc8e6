import { z } from 'zod';
import { headMethod } from '../api/database-api';
import { HiveNodesUnavailableError } from '../node/errors';
import { type HiveNodes, type NodeResult } from '../node/hive-api';
import { BlockReader } from './block-reader';
import { ChainHead } from './chain-head';
import { ReadAhead } from './read-ahead';

const idOf = (number: number): string => number.toString(16).padStart(8, '0').padEnd(40, '0');
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/**
 * A node that has the chain, and one that stopped an hour ago at block 6 and does not answer the first query for its head. Block 12
 * has a header with extensions.
 */
class Nodes implements HiveNodes {
  readonly nodeCount = 2;
  readonly compared: unknown[] = [];
  private headQueries = 0;

  call(): Promise<never> {
    return Promise.reject(new Error('unused'));
  }

  callWithNode<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<NodeResult<T>> {
    const answer = result.safeParse(blocksOf(params));
    if (answer.success) return Promise.resolve({ node: 'good', value: answer.data });
    // The ids are made up.
    return Promise.reject(new HiveNodesUnavailableError(method, [{ node: 'good', kind: 'contradiction' }]));
  }

  callWorking<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<readonly NodeResult<T>[]> {
    const isHead = method === headMethod;
    const good = { node: 'good', value: result.parse(isHead ? headOf(100, Date.now()) : blocksOf(params)) };
    if (!isHead) this.compared.push(range.parse(params).starting_block_num);
    this.headQueries += isHead ? 1 : 0;
    if (isHead && this.headQueries === 1) return Promise.resolve([good]);
    const value = result.parse(isHead ? headOf(6, Date.now() - 3_600_000) : { blocks: [] });
    return Promise.resolve([good, { node: 'stopped', value }]);
  }

  distrust(): void {
    throw new Error('unused');
  }

  avoid(): void {
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
let faults: unknown[];
let ending: AbortController;

beforeEach(() => {
  jest.useFakeTimers();
  nodes = new Nodes();
  faults = [];
  ending = new AbortController();
});

afterEach(() => {
  ending.abort();
  jest.useRealTimers();
});

/** The first batch after block 10; undefined if it is not there after ten seconds. */
async function readFirst(batchBlocks: number) {
  const head = new ChainHead(nodes, 1_000, () => undefined);
  const reader = new BlockReader(nodes, [], (node, block) => head.mayDeny(node, block));
  const options = {
    endBlock: Infinity,
    batchBlocks,
    readAheadBatches: 1,
    concurrentFetches: 2,
    isWanted: () => true,
    onNotCompared: () => undefined,
    minPauseMs: 100,
    maxPauseMs: 1_000,
    onError: (error: unknown) => faults.push(error),
    signal: ending.signal,
  };
  const batches = new ReadAhead(reader, head, options, { number: 10, id: idOf(10), timestamp: undefined });
  const next = batches.next();
  await jest.advanceTimersByTimeAsync(10_000);
  return Promise.race([next, Promise.resolve(undefined)]);
}

it('a comparison that is held up by a node without the block goes on when it turns out that the node lags', async () => {
  expect(await readFirst(1)).toMatchObject([{ number: 11 }]);
  expect(String(faults[0])).toContain('no block 11');
});

it('the last block is compared, and each whose header has extensions', async () => {
  expect(await readFirst(4)).toMatchObject([{ number: 11 }, { number: 12 }, { number: 13 }, { number: 14 }]);
  expect(new Set(nodes.compared)).toEqual(new Set([99, 12, 14, 18]));
});
