import { type z } from 'zod';
import { headMethod } from '../../api/database-api';
import { type HiveNodes, type NodeResult } from '../../node/hive-nodes';
import { AgreedIrreversibleBlock } from './agreed-irreversible-block';

const nowMs = Date.UTC(2026, 0, 1);

/** What a node claims, and the last block that it has; default its head. */
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

  recordContradiction(): void {
    throw new Error('unused');
  }

  recordMismatch(): void {
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

const agreedOf = (claims: readonly Claim[], storageDelayMs = 0) =>
  new AgreedIrreversibleBlock(new Nodes(claims), { storageDelayMs }, () => nowMs);
const find = (...claims: Claim[]) => agreedOf(claims).find();
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
  const agreed = agreedOf([honest, { ...honest, ageSeconds: 61 }]);
  await agreed.find();
  expect([985, 986].map((block) => agreed.isVoteAgainst('node-0', block))).toEqual([false, true]);
  expect(agreed.isVoteAgainst('node-1', 986)).toBe(false);
});

it('no node lags on a stopped chain', async () => {
  const agreed = agreedOf([
    { ...inventor, ageSeconds: 90 },
    { ...honest, ageSeconds: 100 },
  ]);
  expect((await agreed.find()).irreversibleBlock).toBe(985);
  expect(agreed.isVoteAgainst('node-1', 986)).toBe(true);
});

it.each([
  ['does not have the block that it calls irreversible', { ...inventor, hasBlocksTo: 1_000 }, 'no block 4999'],
  ['has a head in the future', { ...inventor, ageSeconds: -61 }, 'in the future'],
])('a lone node that %s is not trusted', async (_what, claim, message) => {
  await expect(find(claim)).rejects.toThrow(message);
});

it('the claim of a lone node counts once the node has stored the block', async () => {
  const claims: Claim[] = [{ ...honest, hasBlocksTo: 984 }];
  const found = agreedOf(claims, 60_000).find();
  // The chain goes on meanwhile.
  claims[0] = { head: 1_010, irreversible: 1_005, hasBlocksTo: 985 };
  expect(await found).toMatchObject({ irreversibleBlock: 985 });
});
