import { type CacheRule } from '../routes/route';
import { toCachedResponse, type ResponseOrigin } from './cache-lifetime';
import { isFresh } from './cached-response';

const nowMs = 1_000_000;
const day = 86_400_000;
const origin: ResponseOrigin = { params: {}, headBlock: 100, node: { block: 100, irreversibleBlock: 90 } };

function cached(
  cache: CacheRule,
  originChanges: Partial<ResponseOrigin> = {},
  { member = '"result":[1]', staleMs = 0 } = {},
) {
  return toCachedResponse(member, { cache, staleMs }, { ...origin, ...originChanges }, nowMs);
}

const head: CacheRule = { kind: 'head' };
const byBlock: CacheRule = { kind: 'irreversible', block: { first: 'block_num', count: undefined } };
const byPosition: CacheRule = { kind: 'irreversible', block: { first: '0', count: undefined } };
const byRange: CacheRule = { kind: 'irreversible', block: { first: 'starting_block_num', count: 'count' } };

describe('a response that depends on the head block', () => {
  it('is cached until the next block, and at most for a block interval', () => {
    const response = cached(head);
    expect(response).toMatchObject({ headBlock: 100, freshUntilMs: nowMs + 3_000 });
    if (response === undefined) return;
    expect(isFresh(response, 100, nowMs + 2_999)).toBe(true);
    expect(isFresh(response, 101, nowMs + 1)).toBe(false);
    expect(isFresh(response, 100, nowMs + 3_000)).toBe(false);
  });

  it('is not cached if the head is unknown or the node is behind the head', () => {
    expect(cached(head, { headBlock: 0, node: undefined })).toBeUndefined();
    expect(cached(head, { node: { block: 99, irreversibleBlock: 90 } })).toBeUndefined();
  });
});

describe('a response with the contents of blocks', () => {
  it.each([
    [byBlock, { block_num: 90 }],
    [byPosition, [90]],
    [byPosition, [90, false]],
    [byRange, { starting_block_num: 81, count: 10 }],
  ])('is cached for a day if the block is irreversible: %j of %j', (rule, params) => {
    expect(cached(rule, { params })).toMatchObject({ headBlock: undefined, freshUntilMs: nowMs + day });
  });

  it.each([
    [byBlock, { block_num: 91 }],
    [byBlock, { block_num: '90' }],
    [byBlock, { block_num: 1e300 }],
    [byBlock, {}],
    [byBlock, undefined],
    [byPosition, []],
    [byRange, { starting_block_num: 81, count: 11 }],
    [byRange, { starting_block_num: 81 }],
    [byRange, { starting_block_num: 95, count: -10 }],
    [byRange, { starting_block_num: 81, count: 0 }],
    // An inherited property is not a parameter.
    [{ kind: 'irreversible', block: { first: 'constructor', count: undefined } } as const, {}],
  ])('depends on the head otherwise: %j of %j', (rule, params) => {
    expect(cached(rule, { params })).toMatchObject({ headBlock: 100 });
  });

  it.each(['{}', '[]', ' { "blocks" : [ ] }'])(
    'depends on the head if the result is empty, as of a node that has not processed the block yet: %s',
    (result) => {
      expect(cached(byBlock, { params: { block_num: 1 } }, { member: `"result":${result}` })).toMatchObject({
        headBlock: 100,
      });
    },
  );

  it('depends on the head if the block is not irreversible for the responding node', () => {
    const node = { block: 100, irreversibleBlock: 80 };
    expect(cached(byBlock, { params: { block_num: 90 }, node })).toMatchObject({ headBlock: 100 });
    expect(cached(byBlock, { params: { block_num: 90 }, node: undefined })).toMatchObject({ headBlock: 100 });
  });
});

it('caches neither null nor the responses of a route with the rule `none`', () => {
  expect(cached({ kind: 'none' })).toBeUndefined();
  for (const rule of [head, byBlock, { kind: 'time', ms: 1_000 } as const]) {
    expect(cached(rule, { params: { block_num: 1 } }, { member: '"result":null' })).toBeUndefined();
  }
});

it('keeps a stale response for the time that the route sets', () => {
  expect(cached({ kind: 'time', ms: 1_000 }, {}, { staleMs: 5_000 })).toEqual({
    member: '"result":[1]',
    storedAtMs: nowMs,
    headBlock: undefined,
    freshUntilMs: nowMs + 1_000,
    staleUntilMs: nowMs + 6_000,
  });
});
