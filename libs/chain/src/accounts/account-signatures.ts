import { keySuffices, recoverPublicKey, sufficientAccounts } from '@waggle/signatures';
import { type AccountAuthorities, type Role } from './account-authorities';

export interface AccountSignaturesOptions {
  /**
   * Accounts that may sign for any account that names them in its `account_auths` with enough weight; default none.
   * Everybody who holds a key of such an account can log in as all who trust it.
   */
  readonly trustedAccounts?: readonly string[];
}

/** A text that somebody says an account has signed. */
export interface SignedText {
  readonly account: string;
  readonly text: string;
  /** Other forms of the text, if it is not known which of them was signed. */
  readonly otherForms?: readonly string[];
  /** 130 hex characters. */
  readonly signature: string;
  /** The levels whose keys count. */
  readonly roles: readonly Role[];
}

/** A key of which is asked whether it may sign for an account. */
export interface AccountKey {
  readonly account: string;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** The levels that count. */
  readonly roles: readonly Role[];
}

/** A verdict about a text, with the form of it that was signed. */
export type TextVerdict =
  (Extract<Verdict, { valid: true }> & { readonly text: string }) | Extract<Verdict, { valid: false }>;

export type Verdict =
  | {
      readonly valid: true;
      /** The key that signed: compressed, 33 bytes. */
      readonly publicKey: Uint8Array;
      /** The first of the asked roles that the key suffices for. */
      readonly role: Role;
      /** Whose key it is: the account itself, or a trusted one. */
      readonly signer: string;
    }
  | { readonly valid: false; readonly reason: 'malformed-signature' | 'account-not-found' | 'wrong-key' };

/** Whose keys are looked for, and at which levels. */
type Asked = Pick<AccountKey, 'account' | 'roles'>;

/**
 * How old an authority may be by which a signature is accepted: the time of one block. Every answer of a node may be that old,
 * so a newer one is hardly worth a request; and a burst of log-ins costs one request per account in that time.
 */
const signatureMaxAgeMs = 3_000;

/** Says whether an account has signed a text. */
export class AccountSignatures {
  private readonly trustedAccounts: ReadonlySet<string>;

  constructor(
    private readonly authorities: AccountAuthorities,
    options: AccountSignaturesOptions = {},
  ) {
    this.trustedAccounts = new Set(options.trustedAccounts);
  }

  /**
   * Recovers the key and looks for it in the authorities of the account, as a node told them within the last 3 s, so that a key
   * that was replaced is worth nothing; where it is not found, once more as a node says now, since the key may be new. Each form
   * of the text has a key of its own; all of them are looked for at once.
   *
   * @throws HiveNodesUnavailableError if no node answers, so that nothing can be said
   */
  async verify({ text, otherForms = [], signature, ...asked }: SignedText): Promise<TextVerdict> {
    const textByKey = new Map<Uint8Array, string>();
    for (const form of [text, ...otherForms]) {
      const recovered = recoverPublicKey(form, signature);
      if (recovered.ok) textByKey.set(recovered.publicKey, form);
    }
    if (textByKey.size === 0) return { valid: false, reason: 'malformed-signature' };
    const verdict = await this.verifyWithin(asked, [...textByKey.keys()], signatureMaxAgeMs);
    return verdict.valid ? { ...verdict, text: textByKey.get(verdict.publicKey) ?? text } : verdict;
  }

  /**
   * Whether the key alone may sign for the account at one of the levels, as what is remembered of the chain says; where
   * that says no, once more as a node says now.
   *
   * @throws HiveNodesUnavailableError if no node answers, so that nothing can be said
   */
  verifyKey({ publicKey, ...asked }: AccountKey): Promise<Verdict> {
    return this.verifyWithin(asked, [publicKey], Infinity);
  }

  private async verifyWithin(asked: Asked, publicKeys: readonly Uint8Array[], maxAgeMs: number): Promise<Verdict> {
    const verdict = await this.look(asked, publicKeys, maxAgeMs);
    if (verdict.valid || verdict.reason !== 'wrong-key') return verdict;
    return this.look(asked, publicKeys, 0);
  }

  private async look({ account, roles }: Asked, publicKeys: readonly Uint8Array[], maxAgeMs: number): Promise<Verdict> {
    const authorities = await this.authorities.find(account, { maxAgeMs });
    if (authorities === undefined) return { valid: false, reason: 'account-not-found' };
    for (const role of roles) {
      const publicKey = publicKeys.find((key) => keySuffices(authorities[role], key));
      if (publicKey !== undefined) return { valid: true, publicKey, role, signer: account };
    }
    for (const role of roles) {
      for (const signer of sufficientAccounts(authorities[role])) {
        if (!this.trustedAccounts.has(signer)) continue;
        const trusted = await this.authorities.find(signer, { maxAgeMs });
        // As on the chain, the same level of the other account counts, but never more than its active one.
        const authority = trusted?.[role === 'owner' ? 'active' : role];
        const publicKey = authority && publicKeys.find((key) => keySuffices(authority, key));
        if (publicKey !== undefined) return { valid: true, publicKey, role, signer };
      }
    }
    return { valid: false, reason: 'wrong-key' };
  }
}
