import { completionAt } from './completion';

const at = (text: string) => {
  const position = text.indexOf('|');
  return completionAt(text.replace('|', ''), position);
};

it.each([
  ['@|', 'mention', '', 0],
  ['Hi @al|', 'mention', 'al', 3],
  ['Hi @al| and bob', 'mention', 'al', 3],
  ['(@hive.bl|', 'mention', 'hive.bl', 1],
  ['a\n@b|', 'mention', 'b', 2],
  ['😀 @b|', 'mention', 'b', 3],
  [':be|', 'emoji', 'be', 0],
  ['Nice :thumbs_up|', 'emoji', 'thumbs_up', 5],
  [':꿀벌|', 'emoji', '꿀벌', 0],
])('completes %s', (text, kind, query, start) => {
  expect(at(text)).toEqual({ kind, query, start });
});

it.each([
  '|',
  'al|',
  'a@b|',
  'at 12:30|',
  ':a|',
  ': be|',
  '@al |',
  'https://x|',
  '@name-that-is-too-long|',
  '::be|',
  '@al|ice',
  ':be|e',
])('completes nothing in %s', (text) => {
  expect(at(text)).toBeUndefined();
});
