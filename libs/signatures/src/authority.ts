import { samePublicKey } from './public-key';

/** The keys and accounts that may sign for an account in one of its roles (owner, active, posting). */
export interface Authority {
  /** The sum of weights that the signers must reach. */
  readonly weightThreshold: number;
  readonly keyAuths: readonly KeyAuth[];
  /** Accounts whose own authority counts. */
  readonly accountAuths: readonly AccountAuth[];
}

export interface KeyAuth {
  /** Compressed public key, 33 bytes. */
  readonly key: Uint8Array;
  readonly weight: number;
}

export interface AccountAuth {
  readonly account: string;
  readonly weight: number;
}

/** Whether this single key reaches the threshold of the authority. */
export function keySuffices(authority: Authority, key: Uint8Array): boolean {
  return authority.keyAuths.some(
    (member) => member.weight >= authority.weightThreshold && samePublicKey(member.key, key),
  );
}

/** The accounts that reach the threshold of the authority by themselves. */
export function sufficientAccounts(authority: Authority): string[] {
  return authority.accountAuths
    .filter(({ weight }) => weight >= authority.weightThreshold)
    .map(({ account }) => account);
}
