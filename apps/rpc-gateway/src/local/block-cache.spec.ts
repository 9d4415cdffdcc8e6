import { JsonText } from '../rpc/json-text';
import { BlockCache } from './block-cache';

let block: string | undefined;
let computed: number;
let cache: BlockCache;
beforeEach(() => {
  block = 'a/1';
  computed = 0;
  cache = new BlockCache(() => block);
});

const next = () => {
  computed += 1;
  return Promise.resolve(computed);
};

it('computes a result once for concurrent and later calls, until the next block', async () => {
  expect(await Promise.all([cache.get('x', next), cache.get('x', next)])).toEqual([1, 1]);
  expect(await cache.get('x', next)).toBe(1);
  expect(await cache.get('y', next)).toBe(2);
  block = 'a/2';
  expect(await cache.get('x', next)).toBe(3);
});

it('does not share the result of a former block', async () => {
  let finish: (value: number) => void = () => undefined;
  const slow = cache.get('x', () => new Promise<number>((resolve) => (finish = resolve)));
  block = 'a/2';
  expect(await cache.get('x', next)).toBe(1);
  finish(7);
  expect(await slow).toBe(7);
  expect(await cache.get('x', next)).toBe(1);
});

it('caches no error, and nothing without a block', async () => {
  await expect(cache.get('x', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await cache.get('x', next)).toBe(1);
  block = undefined;
  expect([await cache.get('x', next), await cache.get('x', next)]).toEqual([2, 3]);
});

it('has limits of entries and of the length of texts', async () => {
  for (let number = 0; number < 2_000; number += 1) await cache.get(String(number), next);
  expect([await cache.get('x', next), await cache.get('x', next)]).toEqual([2_001, 2_002]);
  block = 'a/2';
  await cache.get('long', () => Promise.resolve(new JsonText('x'.repeat(32 * 1024 * 1024))));
  expect([await cache.get('x', next), await cache.get('x', next)]).toEqual([2_003, 2_004]);
});
