import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SignedProofs, type ProofVerdict, type SignedProof } from '@waggle/chain';
import { type LoginQuery } from '@waggle/contracts';
import { isUniqueViolation } from '@waggle/service';
import { mapHiveErrors } from '@waggle/service/chain';
import { SESSION_SETTINGS, type SessionSettings } from './session-settings';
import { ChatError } from '../errors';
import { SessionsStore } from './sessions.store';
import { Tokens, type GrantedSession, type IssuedToken } from './tokens';

/**
 * Keys of these roles may log in to the chat and renew its sessions. `AccountSignatures` decides which keys have a
 * role, including the keys of `TRUSTED_ACCOUNTS`.
 */
export const loginRoles = ['posting', 'active'] as const;

const wrongSignature = () =>
  new ChatError('invalid-signature', 'the signature is not one of the posting or active key of the account');
const usedBefore = () => new ChatError('proof-replayed', 'this proof was used before; sign a new ts');

/** The error for each reason to reject a proof. */
const proofErrors = {
  'too-old': () =>
    new ChatError(
      'proof-expired',
      'ts is too old: the clock is slow, the request took too long, or ts is not in milliseconds',
    ),
  'too-far-ahead': () =>
    new ChatError('proof-expired', 'ts is in the future: the clock is fast, or ts is not in milliseconds'),
  'account-not-found': () => new ChatError('account-not-found', 'there is no such account'),
  'malformed-signature': wrongSignature,
  'wrong-key': wrongSignature,
  'used-before': usedBefore,
} satisfies Record<Extract<ProofVerdict, { valid: false }>['reason'], () => ChatError>;

/** The client that logs in, for the list of sessions. */
export interface Device {
  /** Name and version of the browser, such as `Firefox 140.0`; null if unknown. */
  browser: string | null;
  ip: string | null;
}

/** A verified signature that is used up. */
interface UsedProof {
  /** The key that signed, and its account: the account itself, or a trusted one. */
  publicKey: Uint8Array;
  signer: string;
  /** Lets the signature be used again. If this fails, the client needs a new one. */
  release: () => Promise<void>;
}

/** Starts sessions, and verifies signatures. */
@Injectable()
export class LoginService {
  constructor(
    private readonly proofs: SignedProofs,
    private readonly store: SessionsStore,
    private readonly tokens: Tokens,
    @Inject(SESSION_SETTINGS) private readonly settings: SessionSettings,
  ) {}

  /**
   * Uses up the signature of a text that contains `ts`, made with a key that may sign for the account.
   *
   * @throws ServiceError `proof-expired`, `account-not-found`, `invalid-signature`, `proof-replayed`, `unavailable`
   */
  async useProof(
    account: string,
    text: string,
    { ts, sig: signature }: Pick<LoginQuery, 'ts' | 'sig'>,
  ): Promise<UsedProof> {
    const proof: SignedProof = { account, text, signature, roles: loginRoles, signedAtMs: Number(ts) };
    const verdict = await mapHiveErrors(this.proofs.use(proof));
    if (!verdict.valid) throw proofErrors[verdict.reason]();
    return {
      publicKey: verdict.publicKey,
      signer: verdict.signer,
      release: () => this.proofs.release(proof).catch(() => undefined),
    };
  }

  /**
   * Starts a session if the signature of `username` + `ts` was made with a key that may sign for the account, recently,
   * and is used once.
   *
   * @throws ServiceError `proof-expired`, `account-not-found`, `invalid-signature`, `proof-replayed`, `being-erased`,
   * `unavailable`
   */
  async logIn(
    { username: account, ...signed }: LoginQuery,
    device: Device,
  ): Promise<GrantedSession & { refreshToken: IssuedToken; admin: boolean }> {
    // The interface defines the text as the two without a separator.
    const text = account + signed.ts;
    const { publicKey, release } = await this.useProof(account, text, signed);
    const proofHash = hash('sha256', `${account}:${text}`, 'buffer');
    const expiresAt = new Date(Date.now() + this.settings.tokens.refreshMs);
    const sessionId = await this.store
      .create({ account, proof: proofHash, signingKey: publicKey, ...device, expiresAt })
      .catch(async (error: unknown) => {
        if (isUniqueViolation(error)) throw usedBefore();
        await release();
        throw error;
      });
    return {
      ...this.tokens.grant({ account, sessionId }),
      refreshToken: this.tokens.issue('refresh', { account, sessionId }),
      admin: this.settings.admins.includes(account),
    };
  }
}
