import { keySuffices, recoverPublicKey, sufficientAccounts } from '@waggle/signatures';
import { type AccountAuthorities, type Role } from './account-authorities';

export interface AccountSignaturesOptions {
  /**
   * Accounts that may sign for any account that names them in its `account_auths` with enough weight; default none.
   * A key of such an account can log in as every account that names it.
   */
  readonly trustedAccounts?: readonly string[];
  /**
   * Maximum age of an authority that may accept a key, in milliseconds; default, and at most, the time of a block,
   * 3,000.
   */
  readonly maxAgeMs?: number;
}

/** A text with the alleged signature of an account. */
export interface SignedText {
  readonly account: string;
  readonly text: string;
  /** Other forms of the text, if it is not known which of them was signed. */
  readonly otherForms?: readonly string[];
  /** 130 hex characters. */
  readonly signature: string;
  /** The roles whose keys count. */
  readonly roles: readonly Role[];
}

/** A key that may be allowed to sign for an account. */
export interface AccountKey {
  readonly account: string;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** The roles that count. */
  readonly roles: readonly Role[];
}

/** A verdict about a text, with the form of it that was signed. */
export type TextVerdict =
  | (Extract<Verdict, { valid: true }> & { readonly text: string })
  | Extract<Verdict, { valid: false }>;

export type Verdict =
  | {
      readonly valid: true;
      /** The key that signed: compressed, 33 bytes. */
      readonly publicKey: Uint8Array;
      /** The first of the given roles that the key suffices for. */
      readonly role: Role;
      /** Whose key it is: the account itself, or a trusted one. */
      readonly signer: string;
    }
  | { readonly valid: false; readonly reason: 'malformed-signature' | 'account-not-found' | 'wrong-key' };

/** The account that claims to have signed, and the roles whose keys count. */
type Claim = Pick<AccountKey, 'account' | 'roles'>;

/**
 * Maximum age of an authority that may accept a key: the time of one block. Every response of a node may be that old,
 * so a newer one is hardly worth a request, and a burst of log-ins costs one request per account in that time.
 */
const maxAuthorityAgeMs = 3_000;

/** Decides whether an account signed a text. */
export class AccountSignatures {
  private readonly trustedAccounts: ReadonlySet<string>;
  private readonly maxAgeMs: number;

  constructor(
    private readonly authorities: AccountAuthorities,
    options: AccountSignaturesOptions = {},
  ) {
    this.trustedAccounts = new Set(options.trustedAccounts);
    this.maxAgeMs = Math.min(options.maxAgeMs ?? maxAuthorityAgeMs, maxAuthorityAgeMs);
  }

  /**
   * Recovers the key and looks for it in authorities of the account that are at most 3 s old, so that a replaced key is
   * rejected. If it is not found in cached ones, the authorities are read again, since the key may be new. Recovery
   * yields a different key for each form of the text; all of them are looked for together.
   *
   * @throws HiveNodesUnavailableError if no majority of the nodes returns the same authorities
   */
  async verify({ text, otherForms = [], signature, ...claim }: SignedText): Promise<TextVerdict> {
    const textByKey = new Map<Uint8Array, string>();
    for (const form of [text, ...otherForms]) {
      const recovered = recoverPublicKey(form, signature);
      if (recovered.ok) textByKey.set(recovered.publicKey, form);
    }
    if (textByKey.size === 0) return { valid: false, reason: 'malformed-signature' };
    const verdict = await this.verifyKeys(claim, [...textByKey.keys()]);
    return verdict.valid ? { ...verdict, text: textByKey.get(verdict.publicKey) ?? text } : verdict;
  }

  /**
   * Decides whether the key alone may sign for the account in one of the roles, by the same authorities as `verify`:
   * otherwise a session could be renewed by a key that cannot log in any more.
   *
   * @throws HiveNodesUnavailableError as `verify`
   */
  verifyKey({ publicKey, ...claim }: AccountKey): Promise<Verdict> {
    return this.verifyKeys(claim, [publicKey]);
  }

  private async verifyKeys(claim: Claim, publicKeys: readonly Uint8Array[]): Promise<Verdict> {
    const nowMs = this.authorities.now();
    const verdict = await this.findKey(claim, publicKeys, nowMs - this.maxAgeMs);
    if (verdict.valid || verdict.reason !== 'wrong-key') return verdict;
    return this.findKey(claim, publicKeys, nowMs);
  }

  private async findKey(
    { account, roles }: Claim,
    publicKeys: readonly Uint8Array[],
    sinceMs: number,
  ): Promise<Verdict> {
    const authorities = await this.authorities.find(account, sinceMs);
    if (authorities === undefined) return { valid: false, reason: 'account-not-found' };
    for (const role of roles) {
      const publicKey = publicKeys.find((key) => keySuffices(authorities[role], key));
      if (publicKey !== undefined) return { valid: true, publicKey, role, signer: account };
    }
    for (const role of roles) {
      for (const signer of sufficientAccounts(authorities[role])) {
        if (!this.trustedAccounts.has(signer)) continue;
        const trusted = await this.authorities.find(signer, sinceMs);
        // As on the chain, the same role of the other account counts, but never more than its active one.
        const authority = trusted?.[role === 'owner' ? 'active' : role];
        const publicKey = authority && publicKeys.find((key) => keySuffices(authority, key));
        if (publicKey !== undefined) return { valid: true, publicKey, role, signer };
      }
    }
    return { valid: false, reason: 'wrong-key' };
  }
}
