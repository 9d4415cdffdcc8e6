import { type CachedResponse } from './cached-response';
import { MemoryCache } from './memory-cache';

const response = (member: string): CachedResponse => ({
  member,
  storedAtMs: 1,
  headBlock: undefined,
  freshUntilMs: 2,
  staleUntilMs: 3,
});
const keyOf = (number: number) => `key ${number}`;
const numbers = Array.from({ length: 1_000 }, (_, number) => number);
const maxBytes = 100_000;

it('evicts the oldest responses that were not read again, and stays within its limit', () => {
  const cache = new MemoryCache(maxBytes);
  for (const number of numbers) {
    cache.store(keyOf(number), response(`"result":${number}`));
    expect(cache.find(keyOf(0))).toEqual(response('"result":0'));
    expect(cache.bytes).toBeLessThanOrEqual(maxBytes);
  }
  const isCached = (number: number) => cache.find(keyOf(number)) !== undefined;
  expect([0, 1, 2, 400, 500].map(isCached)).toEqual([true, false, false, false, false]);
  // One generation, half of the bytes, is never evicted.
  expect(numbers.slice(-200).every(isCached)).toBe(true);
});

it('returns the newer of two responses with the same key', () => {
  const cache = new MemoryCache(maxBytes);
  cache.store('key', response('"result":1'));
  for (const number of numbers.slice(0, 300)) cache.store(keyOf(number), response('"result":null'));
  cache.store('key', response('"result":2'));
  expect(cache.find('key')).toEqual(response('"result":2'));
});

it('counts the bytes of a key once', () => {
  const cache = new MemoryCache(maxBytes);
  cache.store('key', response('"result":1'));
  const { bytes } = cache;
  cache.store('key', response('"result":2'));
  expect([cache.bytes, cache.count]).toEqual([bytes, 1]);
});

it.each([
  ['read', (cache: MemoryCache) => void cache.find('key')],
  [
    'replaced',
    (cache: MemoryCache) => {
      cache.store('key', response('"result":2'));
    },
  ],
])('counts a response of the old generation once after it is %s', (_what, act) => {
  const cache = new MemoryCache(maxBytes);
  cache.store('key', response('"result":1'));
  for (const number of numbers.slice(0, 300)) cache.store(keyOf(number), response('"result":null'));
  const { bytes, count } = cache;
  act(cache);
  expect([cache.bytes, cache.count]).toEqual([bytes, count]);
});

it('does not cache a response that would evict all others', () => {
  const cache = new MemoryCache(maxBytes);
  cache.store('small', response('"result":1'));
  cache.store('large', response('x'.repeat(maxBytes / 16)));
  expect([cache.find('large'), cache.find('small'), cache.count]).toEqual([undefined, response('"result":1'), 1]);
});
