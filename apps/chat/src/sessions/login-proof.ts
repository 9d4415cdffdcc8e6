import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SignedProofs, type ProofVerdict, type SignedProof } from '@waggle/chain';
import { type LoginQuery } from '@waggle/contracts';
import { mapHiveErrors } from '@waggle/service/chain';
import { ChatError } from '../errors';

/**
 * Keys of these roles may log in to the chat and renew its sessions. `AccountSignatures` decides which keys have a role, including those
 * of `TRUSTED_ACCOUNTS`.
 */
export const loginRoles = ['posting', 'active'] as const;

/** The error for each reason to reject a proof. */
const proofErrors = {
  'too-old': () => new ChatError('proof-expired', 'ts is too old'),
  'too-far-ahead': () => new ChatError('proof-expired', 'ts is in the future'),
  'account-not-found': () => new ChatError('account-not-found', 'there is no such account'),
  'malformed-signature': wrongSignature,
  'wrong-key': wrongSignature,
  'used-before': usedBefore,
} satisfies Record<Extract<ProofVerdict, { valid: false }>['reason'], () => ChatError>;

/** Verifies that a signature of `username` + `ts` was made with a key that may sign for the account, recently, and is used once. */
@Injectable()
export class LoginProof {
  constructor(private readonly proofs: SignedProofs) {}

  /**
   * @returns the key that signed: compressed, 33 bytes
   * @throws ServiceError `proof-expired`, `account-not-found`, `invalid-signature`, `proof-replayed`, `unavailable`
   */
  async verify(query: LoginQuery): Promise<Uint8Array> {
    const verdict = await mapHiveErrors(this.proofs.use(proofIn(query)));
    if (!verdict.valid) throw proofErrors[verdict.reason]();
    return verdict.publicKey;
  }

  /** Releases a proof whose log-in failed for another reason, so that it can be used again. */
  release(query: LoginQuery): Promise<void> {
    return this.proofs.release(proofIn(query));
  }
}

/** Returns the hash by which the proof of a log-in is stored with its session. */
export function hashOfProof(query: LoginQuery): Buffer {
  const { account, text } = proofIn(query);
  return hash('sha256', `${account}:${text}`, 'buffer');
}

export function usedBefore(): ChatError {
  return new ChatError('proof-replayed', 'this proof was used before; sign a new ts');
}

function proofIn({ username, ts, sig }: LoginQuery): SignedProof {
  return { account: username, text: username + ts, signature: sig, roles: loginRoles, signedAtMs: Number(ts) };
}

function wrongSignature(): ChatError {
  return new ChatError('invalid-signature', 'the signature is not one of the posting or active key of the account');
}
