import { type Authority, keySuffices, sufficientAccounts } from './authority';

const keyOf = (last: number): Uint8Array => Uint8Array.from([2, ...Array<number>(31).fill(0), last]);

const shared: Authority = {
  weightThreshold: 2,
  keyAuths: [
    { key: keyOf(1), weight: 1 },
    { key: keyOf(2), weight: 2 },
    { key: keyOf(3), weight: 3 },
  ],
  accountAuths: [
    { account: 'weak', weight: 1 },
    { account: 'strong', weight: 2 },
  ],
};

test.each([
  ['below the threshold', 1, false],
  ['at the threshold', 2, true],
  ['above the threshold', 3, true],
  ['not listed', 4, false],
])('a key %s', (_, last, suffices) => {
  expect(keySuffices(shared, keyOf(last))).toBe(suffices);
});

test('a key that is not listed does not even reach a threshold of zero', () => {
  expect(keySuffices({ weightThreshold: 0, keyAuths: [], accountAuths: [] }, keyOf(1))).toBe(false);
});

test('keys are compared by their bytes, regardless of the array type', () => {
  expect(keySuffices(shared, Buffer.from(keyOf(2)))).toBe(true);
});

test('accounts suffice if their weight does', () => {
  expect(sufficientAccounts(shared)).toEqual(['strong']);
});
