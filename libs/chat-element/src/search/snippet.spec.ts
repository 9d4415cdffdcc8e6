import { snippetOf } from './snippet';

const textOf = (content: string, ...ranges: [number, number][]) =>
  snippetOf({ content, matches: ranges.map(([start, end]) => ({ start, end })) })
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('');

describe('snippetOf', () => {
  it('marks the matches', () => {
    expect(textOf('the cat\nsat', [4, 7], [8, 11])).toBe('the [cat] [sat]');
    expect(textOf('nothing to mark')).toBe('nothing to mark');
  });

  it('begins shortly before the first match, with a word', () => {
    expect(textOf(`${'word '.repeat(100)}cat${' more'.repeat(100)}`, [500, 503])).toMatch(
      /^… (word ){7}\[cat\]( more){40,}.*…$/,
    );
  });

  it('cuts no character', () => {
    for (let length = 39; length < 44; length += 1) {
      const content = `${'🐝'.repeat(length)}cat${'🐝'.repeat(200)}`;
      const text = textOf(content, [2 * length, 2 * length + 3]);
      expect(text).toContain('[cat]');
      expect(/[\ud800-\udfff]/u.test(text)).toBe(false);
    }
  });
});
