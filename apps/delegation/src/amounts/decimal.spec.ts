import { decimalOf } from './decimal';

describe('decimalOf', () => {
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
    expect(decimalOf(millionths)).toBe(decimal);
  });

  it('writes the same as JSON.stringify if the number is exact', () => {
    for (let n = 0; n < 10_000; n += 1) {
      const millionths = Math.floor(Math.random() * 2 ** (n % 50));
      expect(decimalOf(String(millionths))).toBe(JSON.stringify(millionths / 1_000_000));
    }
  });
});
