import { signText } from './key-signer';

/** Of an account of the devnet; it has no value. */
const wif = '5K5Q6c4fxx9c6wNrzpjhiJNZd2tZ7QTUBdi3wvq2PpussmwH9uW';

it('signs with low s, as Hive requires', () => {
  for (let attempt = 0; attempt < 20; attempt++) {
    const signature = signText(`alice${attempt}`, wif);
    expect(signature).toMatch(/^(1f|20|21|22)[0-9a-f]{64}[0-7][0-9a-f]{63}$/);
  }
});

it.each(['', 'nonsense', `${wif}1`, wif.replace('K5', '5K')])('does not sign with %j', (text) => {
  expect(signText('alice', text)).toBeUndefined();
});
