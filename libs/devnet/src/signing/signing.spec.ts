import { createHash } from 'node:crypto';
import { PrivateKey, Signature } from '@hiveio/dhive';
import { devnetKeys } from '../keys';
import { signByHiveJs } from './sign-by-hive-js';
import { recoverKey, signDigest } from './signing';

const { wif, publicKey } = devnetKeys('alice').posting;
const digestOf = (text: string) => createHash('sha256').update(text).digest();

describe('a signature', () => {
  it('is reproducible, and its key can be recovered', () => {
    for (let i = 0; i < 20; i++) {
      const digest = digestOf(`message ${i}`);
      const signature = signDigest(digest, wif);
      expect(signDigest(digest, wif)).toBe(signature);
      expect(recoverKey(digest, signature)).toBe(publicKey);
      expect(Signature.fromString(signature).recover(digest).toString()).toBe(publicKey);
    }
  });

  it('of dhive is accepted', () => {
    const digest = digestOf('hello');
    const signature = PrivateKey.fromString(wif).sign(digest).toString();
    expect(recoverKey(digest, signature)).toBe(publicKey);
  });

  it('over other bytes recovers another key', () => {
    expect(recoverKey(digestOf('b'), signDigest(digestOf('a'), wif))).not.toBe(publicKey);
  });

  it('is rejected in its other form, with high s', () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const signature = signDigest(digestOf('a'), wif);
    const highS = (order - BigInt(`0x${signature.slice(66)}`)).toString(16).padStart(64, '0');
    expect(() => recoverKey(digestOf('a'), signature.slice(0, 66) + highS)).toThrow('signature is not canonical');
  });

  it('is rejected if invalid', () => {
    expect(() => recoverKey(digestOf('a'), 'abc')).toThrow('Bad Cast:Invalid signature: abc');
    expect(() => recoverKey(digestOf('a'), '1f' + '00'.repeat(64))).toThrow('unable to reconstruct public key');
  });
});

test('only the signature is returned, even if hive-js prints the number of attempts', () => {
  // hive-js needs more than ten attempts for about one text in several hundred; with alice's key, this is one of them.
  expect(signByHiveJs('text 425', devnetKeys('alice').posting.wif)).toMatch(/^[0-9a-f]{130}$/);
});

test('an invalid key is rejected, and not quoted', () => {
  expect(() => signByHiveJs('text', 'a secret')).toThrow(/^hive-js does not sign with this key$/);
});
