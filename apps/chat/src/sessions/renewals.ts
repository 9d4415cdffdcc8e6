import { Injectable } from '@nestjs/common';
import { keyCheckPauseMs, KeyChecks } from '@waggle/chain';
import { ChatError } from '../errors';
import { Revocations } from './revocations';
import { SessionsStore, type LiveSession } from './sessions.store';

/** Lets live sessions go on, as long as the key that logged in still suffices on the chain. */
@Injectable()
export class Renewals {
  constructor(
    private readonly keyChecks: KeyChecks,
    private readonly revocations: Revocations,
    private readonly store: SessionsStore,
  ) {}

  /** Renews the session by its refresh token: its open sockets live on. @throws ServiceError as `confirmKey` */
  async renew(session: LiveSession): Promise<void> {
    await this.confirmKey(session);
    if (!(await this.store.renew(session.id))) throw new ChatError('unauthenticated', 'the session has ended');
  }

  /**
   * Ends the session everywhere if its key no longer suffices. A session from before keys were kept has none to check.
   *
   * @throws ServiceError `unauthenticated` if the session has ended by that
   * @throws ServiceError `unavailable` if nobody has been able to confirm the key for too long
   */
  async confirmKey({ id, account, signingKey, keyConfirmedMsAgo }: LiveSession): Promise<void> {
    if (signingKey === null || keyConfirmedMsAgo === null) return;
    const status = await this.keyChecks.check({ account, signingKey, keyConfirmedMsAgo });
    if (status === 'confirmed') await this.store.confirmKey(id);
    if (status === 'changed') {
      await this.revocations.end(id);
      throw new ChatError('unauthenticated', 'the key that logged in is no longer one of the account');
    }
    if (status === 'unconfirmed') {
      throw new ChatError('unavailable', 'The Hive network does not answer at the moment', {
        retryAfterMs: keyCheckPauseMs,
      });
    }
  }
}
