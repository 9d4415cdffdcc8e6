import { Injectable } from '@nestjs/common';
import { Accounts } from '../accounts';
import { ChatError } from '../errors';
import { ChangeTransactions } from '../delivery/change-transactions';
import { type FrameRequest } from '../realtime/frame-request';
import { LockedPair, type AccountEvent } from './locked-pair';

/** Blocks and unblocks accounts. A block prevents messages in the dm and friendships in both directions. */
@Injectable()
export class BlocksService {
  constructor(
    private readonly accounts: Accounts,
    private readonly changeTransactions: ChangeTransactions,
  ) {}

  /**
   * Blocks an account; ends the friendship and friend request of the two.
   * @throws ServiceError `forbidden`, `account-not-found`, `conflict`, `unavailable`
   */
  async block(other: string, request: FrameRequest): Promise<void> {
    const { account } = request;
    if (other === account) throw new ChatError('forbidden', 'an account cannot block itself');
    await this.accounts.requireAll([other]);
    await this.changeTransactions.make(request, async (client) => {
      const pair = await LockedPair.lock(client, account, other);
      if (!(await pair.block(account, other))) throw new ChatError('conflict', `you have blocked ${other} already`);
      const ended = await pair.endFriendship();
      const pending = await pair.findRequest();
      if (pending !== undefined) await pair.removeRequest(pending.id);
      await pair.updateDmBlocked();
      const payload = { conversation_id: await pair.findDmId(), username: other };
      const events: AccountEvent[] = [{ type: 'user-blocked', payload, to: [account] }, ...ended];
      if (pending !== undefined) {
        events.push({ type: 'friendship-rejected', payload: { id: pending.id }, to: [account, other] });
      }
      return pair.changesOf(events);
    });
  }

  /** @throws ChatError `not-found` */
  async unblock(other: string, request: FrameRequest): Promise<void> {
    const { account } = request;
    await this.changeTransactions.make(request, async (client) => {
      const pair = await LockedPair.lock(client, account, other);
      if (!(await pair.unblock(account, other))) throw new ChatError('not-found', `you have not blocked ${other}`);
      await pair.updateDmBlocked();
      const payload = { conversation_id: await pair.findDmId(), username: other };
      return pair.changesOf([{ type: 'user-unblocked', payload, to: [account] }]);
    });
  }
}
