import { beginningOf } from './characters';

it.each([
  ['a family', '👨‍👩‍👧‍👦'],
  ['a flag', '🇰🇷'],
  ['a skin tone', '👍🏽'],
  ['a Devanagari syllable', 'क्षि'],
  ['an accent that combines', 'e\u0301'],
  ['Thai with two marks', 'ก็่'],
])('the beginning of a text contains no part of %s', (_name, cluster) => {
  for (const before of ['', 'abc', 'x'.repeat(300), `x${'🇰🇷'.repeat(99)}`])
    for (let cut = 1; cut < cluster.length; cut += 1)
      expect([cut, beginningOf(`${before}${cluster}end`, before.length + cut)]).toEqual([cut, before]);
});

it('a text of at most this length is unchanged', () => {
  expect(beginningOf('👍🏽', 4)).toBe('👍🏽');
  expect(beginningOf('👍🏽!', 4)).toBe('👍🏽');
});

it('an endless cluster is cut', () => {
  expect(beginningOf(`a${'\u0301'.repeat(1_000)}`, 200)).toHaveLength(200);
});
