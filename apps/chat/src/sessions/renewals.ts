import { Injectable } from '@nestjs/common';
import { keyCheckPauseMs, KeyChecks } from '@waggle/chain';
import { ChatError } from '../errors';
import { Revocations } from './revocations';
import { SessionsStore, type LiveSession } from './sessions.store';

/** Renews live sessions as long as the key that logged in still has authority on the chain. */
@Injectable()
export class Renewals {
  constructor(
    private readonly keyChecks: KeyChecks,
    private readonly revocations: Revocations,
    private readonly store: SessionsStore,
  ) {}

  /** Renews a session, which extends its connections. @throws ChatError as `confirmKey` */
  async renew(session: LiveSession): Promise<void> {
    await this.confirmKey(session);
    if (!(await this.store.renew(session.id))) throw new ChatError('unauthenticated', 'the session has ended');
  }

  /**
   * Ends the session if its key no longer has authority.
   *
   * @throws ChatError `unauthenticated` if the session was ended
   * @throws ChatError `unavailable` if the key could not be checked for too long
   */
  async confirmKey({ id, account, signingKey, keyConfirmedMsAgo }: LiveSession): Promise<void> {
    const status = await this.keyChecks.check({ account, signingKey, keyConfirmedMsAgo });
    if (status === 'confirmed') await this.store.confirmKey(id);
    if (status === 'changed') {
      await this.revocations.end(id);
      throw new ChatError('unauthenticated', 'the key that logged in is no longer one of the account');
    }
    if (status === 'unconfirmed') {
      throw new ChatError('unavailable', 'The Hive network does not respond at the moment', {
        retryAfterMs: keyCheckPauseMs,
      });
    }
  }
}
