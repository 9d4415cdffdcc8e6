import { createHash } from 'node:crypto';
import { accountName } from '@waggle/contracts';
import { devnetKeys, seedAccounts, signDigest } from '@waggle/devnet';
import { PlainError } from '@waggle/running';

/** Checks that a text is an account name. @throws PlainError if it is not */
export function requireAccount(name: string): string {
  const account = accountName.safeParse(name);
  if (account.success) return account.data;
  throw new PlainError(`"${name}" is not an account name.`);
}

/**
 * @returns the URL without a trailing slash
 * @throws PlainError if it is not a URL of the service
 */
export function requireUrl(text: string, service: string, example: string): string {
  const isHttp = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
  if (!isHttp) throw new PlainError(`"${text}" is not the URL of a ${service} service, such as ${example}.`);
  return text.replace(/\/+$/, '');
}

/** The posting key of an account of the devnet, in wallet import format. @throws PlainError for another account */
export function devnetKey(account: string): string {
  const names: readonly string[] = seedAccounts;
  if (names.includes(account)) return devnetKeys(account).posting.wif;
  throw new PlainError(`${account} is not an account of the devnet: give its posting key with --key.`);
}

/** Signs a text as wallets do. @throws PlainError if the key is not in wallet import format */
export function signText(text: string, wif: string): string {
  try {
    return signDigest(createHash('sha256').update(text).digest(), wif);
  } catch {
    throw new PlainError('The key is not a private key in wallet import format (it begins with a 5).');
  }
}
