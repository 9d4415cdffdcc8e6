import { type CacheRule } from '../routes/route';
import { keptAnswer, type AnswerOrigin } from './finality';
import { isFresh } from './kept-answer';

const nowMs = 1_000_000;
const day = 86_400_000;
const origin: AnswerOrigin = { params: {}, headBlock: 100, node: { block: 100, irreversibleBlock: 90 } };

function keep(cache: CacheRule, from: Partial<AnswerOrigin> = {}, { member = '"result":[1]', staleMs = 0 } = {}) {
  return keptAnswer(member, { cache, staleMs }, { ...origin, ...from }, nowMs);
}

const head: CacheRule = { kind: 'head' };
const byBlock: CacheRule = { kind: 'irreversible', block: { block: 'block_num', count: undefined } };
const byPlace: CacheRule = { kind: 'irreversible', block: { block: '0', count: undefined } };
const byRange: CacheRule = { kind: 'irreversible', block: { block: 'starting_block_num', count: 'count' } };

describe('what depends on the head block', () => {
  it('is kept until there is another, and no longer than a block takes', () => {
    const kept = keep(head);
    expect(kept).toMatchObject({ head: 100, freshUntilMs: nowMs + 3_000 });
    if (kept === undefined) return;
    expect(isFresh(kept, 100, nowMs + 2_999)).toBe(true);
    expect(isFresh(kept, 101, nowMs + 1)).toBe(false);
    expect(isFresh(kept, 100, nowMs + 3_000)).toBe(false);
  });

  it('is not kept where nobody knows the head, or it comes from a node behind it', () => {
    expect(keep(head, { headBlock: 0, node: undefined })).toBeUndefined();
    expect(keep(head, { node: { block: 99, irreversibleBlock: 90 } })).toBeUndefined();
  });
});

describe('what a block has in it', () => {
  it.each([
    [byBlock, { block_num: 90 }],
    [byPlace, [90]],
    [byPlace, [90, false]],
    [byRange, { starting_block_num: 81, count: 10 }],
  ])('is kept for good where the block is irreversible: %j of %j', (rule, params) => {
    expect(keep(rule, { params })).toMatchObject({ head: undefined, freshUntilMs: nowMs + day });
  });

  it.each([
    [byBlock, { block_num: 91 }],
    [byBlock, { block_num: '90' }],
    [byBlock, { block_num: 1e300 }],
    [byBlock, {}],
    [byBlock, undefined],
    [byPlace, []],
    [byRange, { starting_block_num: 81, count: 11 }],
    [byRange, { starting_block_num: 81 }],
    [byRange, { starting_block_num: 95, count: -10 }],
    [byRange, { starting_block_num: 81, count: 0 }],
    [{ kind: 'irreversible', block: { block: 'constructor', count: undefined } } as const, {}],
  ])('depends on the head else: %j of %j', (rule, params) => {
    expect(keep(rule, { params })).toMatchObject({ head: 100 });
  });

  it.each(['{}', '[]', ' { "blocks" : [ ] }'])('depends on the head where a node has only %s to say', (result) => {
    expect(keep(byBlock, { params: { block_num: 1 } }, { member: `"result":${result}` })).toMatchObject({ head: 100 });
  });

  it('depends on the head where the node that answers does not have the block for good', () => {
    const node = { block: 100, irreversibleBlock: 80 };
    expect(keep(byBlock, { params: { block_num: 90 }, node })).toMatchObject({ head: 100 });
    expect(keep(byBlock, { params: { block_num: 90 }, node: undefined })).toMatchObject({ head: 100 });
  });
});

it('is not kept where the rule says so, nor ever null', () => {
  expect(keep({ kind: 'none' })).toBeUndefined();
  for (const rule of [head, byBlock, { kind: 'time', ms: 1_000 } as const]) {
    expect(keep(rule, { params: { block_num: 1 } }, { member: '"result":null' })).toBeUndefined();
  }
});

it('may be given past its time for as long as the route says', () => {
  expect(keep({ kind: 'time', ms: 1_000 }, {}, { staleMs: 5_000 })).toEqual({
    member: '"result":[1]',
    storedAtMs: nowMs,
    head: undefined,
    freshUntilMs: nowMs + 1_000,
    staleUntilMs: nowMs + 6_000,
  });
});
