import { createHash, randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1';
import { ecdsaSign } from 'secp256k1';
import { formatPublicKey, parseSignature, recoverPublicKey } from '../src';
import { loadNativeSecp256k1 } from '../src/native-secp256k1';
import { pureSecp256k1 } from '../src/pure-secp256k1';
import { type SignedByLibrary, signByLibraries } from './signed-by-libraries';

/** Texts per library. For beekeeper and hive-tx, half of the signatures have a set top bit of r. */
const count = process.env['LONG'] === 'true' ? 500 : 50;

const groupOrder = secp256k1.Point.Fn.ORDER;

let all: Promise<readonly SignedByLibrary[]> | undefined;

/** Returns the recovered key as text, or why there is none. */
function signer(message: string | Uint8Array, signature: string): string {
  const recovered = recoverPublicKey(message, signature);
  return recovered.ok ? formatPublicKey(recovered.publicKey) : recovered.error;
}

/** The other signature of the same message and key, which anyone can compute. */
function withHighS(signature: string): string {
  const recovery = 31 + ((parseInt(signature.slice(0, 2), 16) - 31) ^ 1);
  const s = groupOrder - BigInt(`0x${signature.slice(66)}`);
  return recovery.toString(16) + signature.slice(2, 66) + s.toString(16).padStart(64, '0');
}

describe.each(['@hiveio/beekeeper', '@hiveio/dhive', '@hiveio/hive-js', '@hiveio/wax', 'hive-tx 5', 'hive-tx 7'])(
  'of signatures by %s',
  (library) => {
    let signed: readonly SignedByLibrary[];
    beforeAll(async () => {
      all ??= signByLibraries(count);
      signed = (await all).filter((each) => each.library === library);
    });

    test('each verifies', () => {
      expect(signed).toHaveLength(count);
      expect(signed.map(({ message, signature }) => signer(message, signature))).toEqual(
        signed.map(({ publicKey }) => publicKey),
      );
    });

    test('none verifies another message', () => {
      const others = signed.map(({ signature }) => signer('another message', signature));
      expect(signed.filter(({ publicKey }, index) => others[index] === publicKey)).toEqual([]);
    });

    test('none verifies with high s', () => {
      const errors = signed.map(({ message, signature }) => signer(message, withHighS(signature)));
      expect(new Set(errors)).toEqual(new Set(['not-canonical']));
    });
  },
);

test('recovers the same key from a text and from its digest', () => {
  const secret = secp256k1.utils.randomSecretKey();
  const text = '{"account":"alice","ts":"2026-01-01T00:00:00.000Z"} 🐝';
  const digest = createHash('sha256').update(text).digest();
  const signature = secp256k1.sign(digest, secret);
  const hex = (31 + signature.recovery).toString(16) + Buffer.from(signature.toBytes('compact')).toString('hex');
  expect(signer(text, hex)).toBe(formatPublicKey(secp256k1.getPublicKey(secret, true)));
  expect(signer(digest, hex)).toBe(signer(text, hex));
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
});
