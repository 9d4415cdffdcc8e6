import { accountName } from './account-name';

describe('accountName', () => {
  it.each(['bob', 'alice', 'a1b', 'hive.fund', 'good-karma', 'a-1', 'abc.def.ghi', 'sixteen-chars-ab'])(
    'accepts %s',
    (name) => {
      expect(accountName.safeParse(name).success).toBe(true);
    },
  );

  it.each([
    ['too short', 'ab'],
    ['too long', 'seventeen-chars-a'],
    ['upper case', 'Alice'],
    ['starts with a digit', '1abc'],
    ['starts with a hyphen', '-abc'],
    ['ends with a hyphen', 'abc-'],
    ['a segment that is too short', 'ab.cde'],
    ['a segment that starts with a digit', 'abc.1de'],
    ['an empty segment', 'abc..def'],
    ['an at sign', '@alice'],
    ['a blank', 'ali ce'],
    ['a letter of another alphabet', 'аlice'],
    ['a line feed at the end', 'alice\n'],
    ['SQL', "a'; drop table--"],
  ])('refuses %s', (_why, name) => {
    expect(accountName.safeParse(name).success).toBe(false);
  });
});
