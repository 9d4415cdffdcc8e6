import { formatVests, vests } from './vests';

const asset = (amount: string) => ({ amount, precision: 6, nai: '@@000000037' });

describe('vests', () => {
  it('are 64-bit counts of millionths', () => {
    expect(vests.parse(asset('0'))).toBe(0n);
    expect(vests.parse(asset('9223372036854775807'))).toBe(9_223_372_036_854_775_807n);
  });

  it.each([
    ['another asset', { ...asset('1'), nai: '@@000000021' }],
    ['another precision', { ...asset('1'), precision: 3 }],
    ['a negative amount', asset('-1')],
    ['a fraction', asset('1.5')],
    ['more than 64 bits', asset('9223372036854775808')],
    ['a text', '1.000000 VESTS'],
  ])('are not %s', (_what, value) => {
    expect(vests.safeParse(value).success).toBe(false);
  });
});

describe('formatVests', () => {
  it.each([
    ['0', '0'],
    ['1', '0.000001'],
    ['10', '0.00001'],
    ['999999', '0.999999'],
    ['1000000', '1'],
    ['10000000', '10'],
    ['2500500000', '2500.5'],
    ['1234567890', '1234.56789'],
    // 2^53 and values beyond it, up to the greatest 64-bit integer.
    ['9007199254740992', '9007199254.740992'],
    ['9007199254740993', '9007199254.740993'],
    ['9223372036854775807', '9223372036854.775807'],
    ['9223372036854000000', '9223372036854'],
  ])('%s millionths are %s', (millionths, decimal) => {
    expect(formatVests(millionths)).toBe(decimal);
  });

  it('writes the same as JSON.stringify if the number is exact', () => {
    for (let n = 0; n < 10_000; n += 1) {
      const millionths = Math.floor(Math.random() * 2 ** (n % 50));
      expect(formatVests(String(millionths))).toBe(JSON.stringify(millionths / 1_000_000));
    }
  });
});
