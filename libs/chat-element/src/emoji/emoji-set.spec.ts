import { emojiSet, loadEmoji, matchingEmoji } from './emoji-set';

it('has every emoji of Unicode 15 except tones, in groups', async () => {
  const groups = await loadEmoji('en-GB');
  expect(groups.map(({ name }) => name)).toEqual([
    'smileys & emotion',
    'people & body',
    'animals & nature',
    'food & drink',
    'travel & places',
    'activities',
    'objects',
    'symbols',
    'flags',
  ]);
  const all = groups.flatMap(({ emoji }) => emoji.map((each) => each.emoji));
  expect(all.length).toBeGreaterThan(1_800);
  expect(new Set(all).size).toBe(all.length);
  // What the service accepts as a reaction.
  const oneEmoji = new RegExp(String.raw`^\p{RGI_Emoji}$`, 'v');
  expect(all.filter((emoji) => !oneEmoji.test(emoji))).toEqual([]);
});

it.each([
  ['en', 'honeybee', '🐝'],
  ['en', 'red_heart', '❤️'],
  ['es-MX', 'abeja', '🐝'],
  ['ko-KR', '꿀벌', '🐝'],
  ['fr', 'honeybee', '🐝'],
])('finds in %s %s', async (locale, query, expected) => {
  expect(matchingEmoji(await loadEmoji(locale), query, 5)[0]?.emoji).toBe(expected);
});

it('leaves out what runtimes do not know yet', () => {
  const entry = { emoji: '🫪', label: 'new', group: 0 };
  const groups = (version: number) => emojiSet([{ ...entry, version }], { groups: [{ message: 'faces', order: 0 }] });
  expect([groups(15).length, groups(17).length]).toEqual([1, 0]);
});
