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

/** Starts sessions. */
@Injectable()
export class LoginService {
  constructor(
    private readonly proofs: SignedProofs,
    private readonly store: SessionsStore,
    private readonly tokens: Tokens,
    @Inject(SESSION_SETTINGS) private readonly settings: SessionSettings,
  ) {}

  /**
   * Starts a session if the signature of `username` + `ts` was made with a key that may sign for the account, recently,
   * and is used once.
   *
   * @throws ServiceError `proof-expired`, `account-not-found`, `invalid-signature`, `proof-replayed`, `unavailable`
   */
  async logIn(
    { username: account, ts, sig: signature }: LoginQuery,
    device: Device,
  ): Promise<GrantedSession & { refreshToken: IssuedToken; admin: boolean }> {
    const text = account + ts;
    const proof: SignedProof = { account, text, signature, roles: loginRoles, signedAtMs: Number(ts) };
    const verdict = await mapHiveErrors(this.proofs.use(proof));
    if (!verdict.valid) throw proofErrors[verdict.reason]();
    const proofHash = hash('sha256', `${account}:${text}`, 'buffer');
    const expiresAt = new Date(Date.now() + this.settings.tokens.refreshMs);
    const sessionId = await this.store
      .create({ account, proof: proofHash, signingKey: verdict.publicKey, ...device, expiresAt })
      .catch(async (error: unknown) => {
        if (isUniqueViolation(error)) throw usedBefore();
        // If this fails as well, the proof stays used and the client needs a new signature.
        await this.proofs.release(proof).catch(() => undefined);
        throw error;
      });
    return {
      ...this.tokens.grant({ account, sessionId }),
      refreshToken: this.tokens.issue('refresh', { account, sessionId }),
      admin: this.settings.admins.includes(account),
    };
  }
}
