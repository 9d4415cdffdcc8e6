import { initialsOf } from './initials';

it.each([
  ['alice', 'a'],
  ['good-karma', 'gk'],
  ['one.two.three', 'ot'],
  ['-._ ', ''],
  ['', ''],
  ['🇰🇷🇪🇸 flags', '🇰🇷f'],
  ['👨‍👩‍👧‍👦👍🏽', '👨‍👩‍👧‍👦'],
  ['e\u0301a o\u0308a', 'e\u0301o\u0308'],
  ['क्षितिज नीला', 'क्षिनी'],
])('the initials of %j are whole characters', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

it('cuts an endless cluster', () => {
  expect(initialsOf(`a${'\u0301'.repeat(1_000)}`)).toHaveLength(100);
});
