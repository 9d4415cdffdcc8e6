import { createHash } from 'node:crypto';
import { devnetKeys, signDigest } from '@waggle/devnet';

let latestTs = 0;

/** A time of signing that no other log-in of this test file uses. */
export function freshTs(): number {
  latestTs = Math.max(latestTs + 1, Date.now());
  return latestTs;
}

/** @param wif private key in wallet import format */
export function sign(text: string, wif: string): string {
  return signDigest(createHash('sha256').update(text).digest(), wif);
}

export interface LoginOptions {
  ts?: string;
  /** The key that signs; the account's posting key by default. */
  wif?: string;
  /** The signed text, if it is not the right one. */
  text?: string;
}

/** Path and query of a log-in. */
export function loginPath(account: string, options: LoginOptions = {}): string {
  const { ts = String(freshTs()), wif = devnetKeys(account).posting.wif } = options;
  const sig = sign(options.text ?? account + ts, wif);
  return `/users/login?${new URLSearchParams({ username: account, ts, sig }).toString()}`;
}
