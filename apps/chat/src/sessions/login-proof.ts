import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AccountSignatures, answerOfHive } from '@waggle/chain';
import { type LoginQuery } from '@waggle/contracts';
import { type SingleUse } from '@waggle/service';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { ChatError } from '../errors';

export const USED_PROOFS = Symbol('UsedProofs');

/** Keys of these roles may log in to the chat. */
const roles = ['posting', 'active'] as const;

/** Decides whether a signed `username` + `ts` proves that whoever sends it holds a key of the account, now, and once. */
@Injectable()
export class LoginProof {
  constructor(
    private readonly signatures: AccountSignatures,
    @Inject(USED_PROOFS) private readonly usedProofs: SingleUse,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  /** @throws ServiceError `proof-expired`, `account-not-found`, `invalid-signature`, `proof-replayed`, `unavailable` */
  async verify({ username, ts, sig }: LoginQuery): Promise<void> {
    const { maxAgeMs, maxAheadMs } = this.config.login;
    const ageMs = Date.now() - Number(ts);
    if (ageMs > maxAgeMs) throw new ChatError('proof-expired', 'ts is too old');
    if (ageMs < -maxAheadMs) throw new ChatError('proof-expired', 'ts lies in the future');

    await this.verifySignature(username, username + ts, sig);
    // Only a proof that is right is remembered: else a stranger could use up somebody's text before them.
    if (!(await this.usedProofs.claim(keyOf(username, ts), maxAgeMs - ageMs + 1_000))) {
      throw new ChatError('proof-replayed', 'this proof was used before; sign a new ts');
    }
  }

  /** The log-in failed after all, by our fault: the same proof may be tried again. */
  giveBack({ username, ts }: LoginQuery): Promise<void> {
    return this.usedProofs.release(keyOf(username, ts));
  }

  private async verifySignature(account: string, text: string, signature: string): Promise<void> {
    const result = await answerOfHive(this.signatures.verify({ account, text, signature, roles: [...roles] }));
    if (result.valid) return;
    if (result.reason === 'account-not-found') throw new ChatError('account-not-found', 'there is no such account');
    throw new ChatError('invalid-signature', 'the signature is not one of the posting or active key of the account');
  }
}

function keyOf(username: string, ts: string): string {
  return `${username}:${createHash('sha256')
    .update(username + ts)
    .digest('hex')}`;
}
