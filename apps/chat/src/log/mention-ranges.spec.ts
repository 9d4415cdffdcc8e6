import { findMentionRanges } from './mention-ranges';

/** Returns what the ranges of a text cover. */
function mentionsIn(text: string): string[] {
  return findMentionRanges(text).map(({ offset, length }) => text.slice(offset, offset + length));
}

it.each([
  ['@alice hi', ['@alice']],
  ['hi @alice.', ['@alice']],
  ['(@alice, @bob-2: "@carol.dave")', ['@alice', '@bob-2', '@carol.dave']],
  ['@alice @alice', ['@alice', '@alice']],
  ['🐝 @alice', ['@alice']],
  ['저는@alice님', ['@alice']],
  ['谢谢@alice', ['@alice']],
  ['а@alice', []],
  ['@Alice', ['@Alice']],
  ['alice@example.com', []],
  ['https://hive.blog/@alice and www.hive.blog/@bob', []],
  ['hive.blog/@alice', []],
  ['@@alice', []],
  ['@al @1alice @alice- @alice..bob', ['@alice']],
  ['@abcdefghijklmnopq', []],
  ['`@alice` @bob', ['@bob']],
  ['``@alice ` @bob`` @carol', ['@carol']],
  ['```\n@alice\n``` @bob', ['@bob']],
  ['` @alice', ['@alice']],
  ['`` ` @alice', ['@alice']],
])('finds the mentions in %j', (text, found) => {
  expect(mentionsIn(text)).toEqual(found);
});

it('returns names in lower case, and null for everybody', () => {
  expect(findMentionRanges('🐝 @Bob @all @HERE')).toEqual([
    { offset: 3, length: 4, username: 'bob' },
    { offset: 8, length: 4, username: null },
    { offset: 13, length: 5, username: null },
  ]);
});

it('finds at most 20 accounts', () => {
  const names = Array.from({ length: 1_000 }, (_, n) => `@user-${n}`);
  expect(mentionsIn(`@user-0 ${names.join(' ')}`)).toEqual(['@user-0', ...names.slice(0, 20)]);
});

it('finds at most 50 mentions', () => {
  expect(mentionsIn('@alice '.repeat(800))).toHaveLength(50);
});

it.each(['`', '` ``', '@', '@a', '`@', 'https://'])('takes linear time for many %j', (part) => {
  const timeOf = (count: number) => {
    const text = `${part} `.repeat(count) + Array.from({ length: 400 }, (_, n) => '`'.repeat(n + 1)).join(' ');
    const begin = performance.now();
    findMentionRanges(text);
    return performance.now() - begin;
  };
  timeOf(10_000);
  // Quadratic time would be 900 times as long.
  expect(timeOf(300_000)).toBeLessThan(300 * (timeOf(10_000) + 1));
});
