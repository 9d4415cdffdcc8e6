import { samePublicKey } from './public-key';

/** The keys and accounts that may sign for an account in one role (owner, active or posting), with their weights. */
export interface Authority {
  /**
   * The weight required. On the chain several signers may add up to it; the functions below require one that reaches it
   * alone.
   */
  readonly weightThreshold: number;
  readonly keyAuths: readonly KeyAuth[];
  /** Accounts that may sign with their own keys. Which of their roles applies is up to the caller. */
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

/**
 * The accounts whose weight alone reaches the threshold. The caller must still check that a key of such an account
 * signed.
 */
export function sufficientAccounts(authority: Authority): string[] {
  return authority.accountAuths
    .filter(({ weight }) => weight >= authority.weightThreshold)
    .map(({ account }) => account);
}
