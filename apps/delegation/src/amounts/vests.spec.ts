import { vests } from './vests';

const asset = (amount: string) => ({ amount, precision: 6, nai: '@@000000037' });

describe('vests', () => {
  it('are millionths, all 64 bits of them', () => {
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
