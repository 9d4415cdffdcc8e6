import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1';
import { base58 } from '@scure/base';

export const roles = ['owner', 'active', 'posting', 'memo'] as const;
export type Role = (typeof roles)[number];

export interface KeyPair {
  /** The private key in wallet import format. */
  readonly wif: string;
  /** The public key as Hive writes it, `STM…`. */
  readonly publicKey: string;
}

/** The password of a devnet account. As in a wallet, its keys are derived from it. */
export function devnetPassword(name: string): string {
  return `devnet-password-of-${name}`;
}

/** The initial keys of a devnet account: hive-js derives the same from the name and `devnetPassword(name)`. */
export function devnetKeys(name: string): Readonly<Record<Role, KeyPair>> {
  const known = keysByName.get(name);
  if (known) return known;
  const of = (role: Role): KeyPair => keyPair(name, role, devnetPassword(name));
  const keys = { owner: of('owner'), active: of('active'), posting: of('posting'), memo: of('memo') };
  keysByName.set(name, keys);
  return keys;
}

type KeysByName = Map<string, Readonly<Record<Role, KeyPair>>>;

declare global {
  var devnetKeysByName: KeysByName | undefined;
}

/**
 * A cache: multiplying a point of the curve takes milliseconds, and every chain needs the keys of the same accounts. On
 * the global object, because Jest evaluates this module for each test file.
 */
const keysByName: KeysByName = (globalThis.devnetKeysByName ??= new Map());

/** A key of an account by Hive's rule: the private key is sha256 of name, role and password. */
export function keyPair(name: string, role: string, password: string): KeyPair {
  const secret = sha256(Buffer.from(`${name}${role}${password}`));
  return { wif: toWif(secret), publicKey: publicKeyText(secp256k1.getPublicKey(secret, true)) };
}

/** @throws Error if the text is no private key in wallet import format. */
export function secretOf(wif: string): Uint8Array {
  const bytes = Buffer.from(base58.decode(wif));
  const payload = bytes.subarray(0, 33);
  if (bytes.length !== 37 || payload[0] !== wifVersion || !wifChecksum(payload).equals(bytes.subarray(33))) {
    throw new Error('not a private key in wallet import format');
  }
  return payload.subarray(1);
}

/** A compressed public key, 33 bytes, as `STM…`. */
export function publicKeyText(compressed: Uint8Array): string {
  return prefix + base58.encode(Buffer.concat([compressed, publicKeyChecksum(compressed)]));
}

/**
 * The 33 bytes of a public key written as `STM…`.
 * @throws Error if the text is not a key, or its checksum is wrong.
 */
export function publicKeyBytes(text: string): Buffer {
  const bytes = Buffer.from(base58.decode(text.startsWith(prefix) ? text.slice(prefix.length) : ''));
  const key = bytes.subarray(0, 33);
  if (bytes.length !== 37 || !publicKeyChecksum(key).equals(bytes.subarray(33))) throw new Error('not a public key');
  return key;
}

export function isPublicKey(text: string): boolean {
  try {
    publicKeyBytes(text);
    return true;
  } catch {
    // Not a key.
    return false;
  }
}

const prefix = 'STM';
/** First byte of a private key in wallet import format, as on Bitcoin's main network. */
const wifVersion = 0x80;

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function wifChecksum(payload: Uint8Array): Buffer {
  return sha256(sha256(payload)).subarray(0, 4);
}

function toWif(secret: Uint8Array): string {
  const payload = Buffer.concat([Buffer.of(wifVersion), secret]);
  return base58.encode(Buffer.concat([payload, wifChecksum(payload)]));
}

function publicKeyChecksum(compressed: Uint8Array): Buffer {
  return createHash('ripemd160').update(compressed).digest().subarray(0, 4);
}
