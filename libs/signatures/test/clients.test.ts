import { createHash, randomBytes } from 'node:crypto';
import { PrivateKey as DhivePrivateKey } from '@hiveio/dhive';
import { secp256k1 } from '@noble/curves/secp256k1';
import { ecdsaSign } from 'secp256k1';
import { formatPublicKey, parseSignature, recoverPublicKey } from '../src';
import { loadNativeSecp256k1 } from '../src/native-secp256k1';
import { pureSecp256k1 } from '../src/pure-secp256k1';
import { signByHiveJs } from './hive-js';

const text = '{"account":"alice","ts":"2026-01-01T00:00:00.000Z"} 🐝';
const sha256 = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Signs as a client with noble does: with new entropy until the signature is canonical. */
function signWithNoble(value: string, secret: Uint8Array): string {
  for (;;) {
    const signature = secp256k1.sign(sha256(value), secret, { extraEntropy: randomBytes(32) });
    const hex = (31 + signature.recovery).toString(16) + Buffer.from(signature.toBytes('compact')).toString('hex');
    if (parseSignature(hex).ok) return hex;
  }
}

/** Returns the recovered key as text, or why there is none. */
function signer(value: string | Uint8Array, signature: string): string {
  const recovered = recoverPublicKey(value, signature);
  return recovered.ok ? formatPublicKey(recovered.publicKey) : recovered.error;
}

describe('recoverPublicKey verifies a text signed by', () => {
  test('hive-js', async () => {
    const { signature, publicKey } = await signByHiveJs(text, randomBytes(16).toString('hex'));
    expect(signer(text, signature)).toBe(publicKey);
  }, 20_000);

  test('hive-js, if it needs several attempts', async () => {
    const { signature, publicKey } = await signByHiveJs('text 1804', 'seed');
    expect(signer('text 1804', signature)).toBe(publicKey);
  }, 20_000);

  test('dhive', () => {
    const key = DhivePrivateKey.fromSeed('a key of dhive');
    expect(signer(text, key.sign(sha256(text)).toString())).toBe(key.createPublic().toString());
  });

  test('noble', () => {
    const secret = secp256k1.utils.randomSecretKey();
    expect(signer(text, signWithNoble(text, secret))).toBe(formatPublicKey(secp256k1.getPublicKey(secret, true)));
  });
});

test('recovers the same key from a digest', () => {
  const signature = signWithNoble(text, secp256k1.utils.randomSecretKey());
  expect(signer(sha256(text), signature)).toBe(signer(text, signature));
});

test('throws for a digest of another length', () => {
  expect(() => recoverPublicKey(Buffer.alloc(31), '')).toThrow(RangeError);
});

test('recovers the same keys with the native and the pure backend, from signatures and from random bytes', () => {
  const native = loadNativeSecp256k1();
  if (native === undefined) throw new Error('the bindings of secp256k1 do not load on this platform');
  for (let round = 0; round < 60; round += 1) {
    const secret = secp256k1.utils.randomSecretKey();
    const digest = randomBytes(32);
    const { signature: rs, recid } = ecdsaSign(digest, secret);
    const recoveryId = recid === 0 ? 0 : 1;
    const key = Buffer.from(secp256k1.getPublicKey(secret, true));
    expect(Buffer.from(native.recover(rs, recoveryId, digest) ?? [])).toEqual(key);
    expect(Buffer.from(pureSecp256k1.recover(rs, recoveryId, digest) ?? [])).toEqual(key);

    // Half of all numbers are not the x coordinate of a point, so this covers failures as well.
    const noise = parseSignature(`1f${randomBytes(64).toString('hex')}`);
    if (!noise.ok) continue;
    const byNative = native.recover(noise.signature.rs, noise.signature.recoveryId, digest);
    const byPure = pureSecp256k1.recover(noise.signature.rs, noise.signature.recoveryId, digest);
    expect(byNative && Buffer.from(byNative)).toEqual(byPure && Buffer.from(byPure));
  }
}, 30_000);
