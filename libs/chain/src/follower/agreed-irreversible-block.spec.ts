import { type z } from 'zod';
import { headMethod } from '../api/database-api';
import { type HiveNodes, type NodeResult } from '../node/hive-nodes';
import { AgreedIrreversibleBlock } from './agreed-irreversible-block';

const nowMs = Date.UTC(2026, 0, 1);

/** What a node claims, and up to which block it has the chain; default its head. */
interface Claim {
  readonly head: number;
  readonly irreversible: number;
  readonly ageSeconds?: number;
  readonly hasBlocksTo?: number;
  /** Whether it responds only to head queries. */
  readonly isHeadOnly?: boolean;
}

class Nodes implements HiveNodes {
  constructor(private readonly claims: readonly Claim[]) {}

  get nodeCount(): number {
    return this.claims.length;
  }

  call(): Promise<never> {
    return Promise.reject(new Error('unused'));
  }

  callWithNode(): Promise<never> {
    return this.call();
  }

  callWorkingNodes<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<readonly NodeResult<T>[]> {
    const isHead = method === headMethod;
    const results = this.claims.flatMap((claim, index) => {
      if (claim.isHeadOnly === true && !isHead) return [];
      const value = result.parse(isHead ? properties(claim) : { blocks: blocksOf(claim, params) });
      return [{ node: `node-${index}`, value }];
    });
    return Promise.resolve(results);
  }

  distrust(): void {
    throw new Error('unused');
  }

  avoid(): void {
    throw new Error('unused');
  }
}

const idOf = (number: number): string => number.toString(16).padStart(8, '0').padEnd(40, '0');
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

function properties({ head, irreversible, ageSeconds = 0 }: Claim) {
  return {
    head_block_number: head,
    head_block_id: idOf(head),
    time: timeOf(nowMs - ageSeconds * 1_000),
    last_irreversible_block_num: irreversible,
  };
}

function blocksOf({ head, hasBlocksTo = head }: Claim, params: unknown) {
  const number = typeof params === 'object' && params && 'starting_block_num' in params ? params.starting_block_num : 0;
  if (typeof number !== 'number' || number > hasBlocksTo) return [];
  const header = { previous: idOf(number - 1), timestamp: timeOf(nowMs), witness: 'w', witness_signature: '00' };
  const body = { transaction_merkle_root: '0'.repeat(40), extensions: [], transactions: [], transaction_ids: [] };
  return [{ block_id: idOf(number), ...header, ...body }];
}

const find = (...claims: Claim[]) => new AgreedIrreversibleBlock(new Nodes(claims), () => nowMs).find();
const honest: Claim = { head: 1_000, irreversible: 985 };
const inventor: Claim = { head: 5_000, irreversible: 4_999 };

describe.each([1, 2, 3])('with %d honest nodes', (count) => {
  const others = Array.from({ length: count }, () => honest);

  it.each([
    ['invents blocks beyond the head', inventor],
    ['invents blocks that are in the future', { ...inventor, ageSeconds: -12_000 }],
    ['claims a head that it does not have', { ...inventor, hasBlocksTo: 1_000 }],
    ['calls its head irreversible', { head: 1_000, irreversible: 1_000 }],
    ['names a low irreversible block below the true head', { head: 1_000, irreversible: 5 }],
    ['names a low head', { head: 6, irreversible: 5, hasBlocksTo: 1_000 }],
    ['lags by its own account', { head: 6, irreversible: 5, ageSeconds: 3_000 }],
  ])('a node that %s has no effect', async (_what, liar) => {
    expect((await find(liar, ...others)).irreversibleBlock).toBe(985);
  });
});

it.each([
  ['has stopped', { ...honest, ageSeconds: 100 }],
  ['confirms no blocks', { head: 1_000, irreversible: 900 }],
])('one of three nodes cannot raise the irreversible block while the chain %s', async (_state, claim) => {
  expect(await find(inventor, claim, claim)).toMatchObject({ irreversibleBlock: claim.irreversible });
  expect(await find({ head: 1_000, irreversible: 999 }, claim, claim)).toMatchObject({
    irreversibleBlock: claim.irreversible,
  });
});

it('one of two nodes cannot prove on its own that it has the block it calls irreversible', async () => {
  expect((await find(inventor, { ...honest, isHeadOnly: true })).irreversibleBlock).toBe(985);
});

it('of two similar heads the lower irreversible block counts', async () => {
  expect((await find(honest, { head: 1_001, irreversible: 990 })).irreversibleBlock).toBe(985);
});

it('a missing block counts unless the node calls it irreversible or lags', async () => {
  const agreed = new AgreedIrreversibleBlock(new Nodes([honest, { ...honest, ageSeconds: 61 }]), () => nowMs);
  await agreed.find();
  expect([985, 986].map((block) => agreed.countsAsMissing('node-0', block))).toEqual([false, true]);
  expect(agreed.countsAsMissing('node-1', 986)).toBe(false);
});

it('no node lags on a stopped chain', async () => {
  const agreed = new AgreedIrreversibleBlock(
    new Nodes([
      { ...inventor, ageSeconds: 90 },
      { ...honest, ageSeconds: 100 },
    ]),
    () => nowMs,
  );
  expect((await agreed.find()).irreversibleBlock).toBe(985);
  expect(agreed.countsAsMissing('node-1', 986)).toBe(true);
});

it('a lone node that has a head in the future is not trusted', async () => {
  await expect(find({ ...inventor, ageSeconds: -61 })).rejects.toThrow('in the future');
});

it('the last block that a lone node had counts for two seconds while it lacks the one that it calls irreversible', async () => {
  const claims = [honest];
  let time = nowMs;
  const agreed = new AgreedIrreversibleBlock(new Nodes(claims), () => time);
  expect(await agreed.find()).toMatchObject({ irreversibleBlock: 985 });
  claims[0] = { ...honest, irreversible: 987, hasBlocksTo: 986 };
  expect(await agreed.find()).toMatchObject({ irreversibleBlock: 985 });
  time += 1_999;
  expect(await agreed.find()).toMatchObject({ irreversibleBlock: 985 });
  time += 1;
  await expect(agreed.find()).rejects.toThrow('no block 987');
  claims[0] = { ...honest, irreversible: 987, hasBlocksTo: 987 };
  expect(await agreed.find()).toMatchObject({ irreversibleBlock: 987 });
});
