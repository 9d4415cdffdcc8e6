import { newIdentifier } from './identifier';

it('creates unique ULIDs in ascending order', () => {
  const made = Array.from({ length: 20_000 }, () => newIdentifier());
  expect(made[0]).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

it('uses the whole alphabet for each character of the random part', () => {
  const seen = new Set<string>();
  // Within a millisecond the random part is incremented, so that most characters stay the same.
  for (let atMs = 1; atMs <= 400; atMs += 1)
    for (const each of newIdentifier(farAhead + atMs).slice(10)) seen.add(each);
  expect(seen.size).toBe(32);
});

/** Later than the times of all other tests in this file, since the factory never goes back. */
const farAhead = Date.UTC(2100, 0);
