import { type z } from 'zod';
import { type HiveNodes, type NodeResult } from '../../node/hive-nodes';
import { LastIrreversibleBlock } from './last-irreversible-block';

const pollIntervalMs = 1_000;

/** Nodes that respond to a poll when the test says so. */
class Nodes implements HiveNodes {
  readonly nodeCount = 3;
  readonly polls: ((irreversibleBlock: number) => Promise<void>)[] = [];

  call(): Promise<never> {
    return Promise.reject(new Error('unused'));
  }

  callWithNode(): Promise<never> {
    return this.call();
  }

  callWorkingNodes<T>(_method: string, _params: unknown, result: z.ZodType<T>): Promise<readonly NodeResult<T>[]> {
    return new Promise((resolve) => {
      this.polls.push((irreversibleBlock) => {
        const head = irreversibleBlock + 1;
        const value = result.parse({
          head_block_number: head,
          head_block_id: head.toString(16).padStart(8, '0').padEnd(40, '0'),
          time: new Date().toISOString().slice(0, 19),
          last_irreversible_block_num: irreversibleBlock,
        });
        resolve(['one', 'two', 'three'].map((node) => ({ node, value })));
        return settle();
      });
    });
  }

  recordContradiction(): void {
    throw new Error('unused');
  }

  recordMismatch(): void {
    throw new Error('unused');
  }
}

let nodes: Nodes;
let heads: number[];
let lastIrreversible: LastIrreversibleBlock;
let ending: AbortController;

const settle = () => jest.advanceTimersByTimeAsync(0);
/** Lets the nodes respond to the last poll. */
const respond = (irreversibleBlock: number) => nodes.polls.at(-1)?.(irreversibleBlock);
const higherThan = (number: number, { signal } = ending) => {
  const found = lastIrreversible.higherThan(number, signal);
  found.catch(() => undefined);
  return found;
};

beforeEach(() => {
  jest.useFakeTimers();
  nodes = new Nodes();
  heads = [];
  ending = new AbortController();
  const onHead = ({ irreversibleBlock }: { irreversibleBlock: number }) => heads.push(irreversibleBlock);
  lastIrreversible = new LastIrreversibleBlock(nodes, { pollIntervalMs, storageDelayMs: 0, onHead });
});

afterEach(() => {
  jest.useRealTimers();
});

it('polls at even intervals until the block is higher', async () => {
  const found = higherThan(10);
  await respond(9);
  await jest.advanceTimersByTimeAsync(pollIntervalMs - 1);
  expect(nodes.polls).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(nodes.polls).toHaveLength(2);
  await respond(11);
  await expect(found).resolves.toBe(11);
  expect(heads).toEqual([9, 11]);
});

it('polls in the background while it knows a higher block', async () => {
  const first = higherThan(10);
  await respond(20);
  await first;
  await jest.advanceTimersByTimeAsync(4_999);
  await expect(higherThan(11)).resolves.toBe(20);
  expect(nodes.polls).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  await expect(higherThan(12)).resolves.toBe(20);
  expect(nodes.polls).toHaveLength(2);
  await respond(30);
  await expect(higherThan(12)).resolves.toBe(30);
});

it('runs one poll at a time, which outlives a caller that is aborted', async () => {
  const aborted = new AbortController();
  const impatient = higherThan(10, aborted);
  const patient = higherThan(10);
  lastIrreversible.refreshInBackground();
  expect(nodes.polls).toHaveLength(1);
  aborted.abort(new Error('lost'));
  await expect(impatient).rejects.toThrow('lost');
  await respond(11);
  await expect(patient).resolves.toBe(11);
});

it('ignores a poll that was running when the block was forgotten', async () => {
  lastIrreversible.refreshInBackground();
  const [respondLate] = nodes.polls;
  lastIrreversible.forget();
  const found = higherThan(10);
  expect(nodes.polls).toHaveLength(2);
  await respondLate?.(5_000);
  expect(heads).toEqual([]);
  expect(lastIrreversible.isRecent(100)).toBe(true);
  await respond(12);
  await expect(found).resolves.toBe(12);
  expect(heads).toEqual([12]);
});
