import { formatPublicKey, parsePublicKey } from './public-key';

// A well-known key that pins the format: its text and bytes are from hive-js.
const text = 'STM8GC13uCZbP44HzMLV6zPZGwVQ8Nt4Kji8PapsPiNq1BK153XTX';
const key = parsePublicKey(text);

test('parses and formats a key', () => {
  expect(key?.length).toBe(33);
  expect(formatPublicKey(key ?? new Uint8Array())).toBe(text);
});

test.each([
  ['nothing', ''],
  ['the prefix alone', 'STM'],
  ['no prefix', text.slice(3)],
  ['the prefix in another case', text.replace('STM', 'stm')],
  ['a test network', text.replace('STM', 'TST')],
  ['another chain', text.replace('STM', 'EOS')],
  ['a wrong checksum', text.replace(/X$/, 'Y')],
  ['one character short', text.slice(0, -1)],
  ['one character long', `${text}1`],
  ['a leading zero byte more', text.replace('STM', 'STM1')],
  ['a character that is not of base58', text.replace('8GC', '0GC')],
  ['white space', `${text} `],
  ['the null key', 'STM1111111111111111111111111111111114T1Anm'],
  ['very long text', `STM${'z'.repeat(1_000_000)}`],
])('rejects %s', (_, candidate) => {
  expect(parsePublicKey(candidate)).toBeUndefined();
});

test('formats only 33 bytes', () => {
  expect(() => formatPublicKey(new Uint8Array(32))).toThrow(RangeError);
  expect(() => formatPublicKey(new Uint8Array(65))).toThrow(RangeError);
});
