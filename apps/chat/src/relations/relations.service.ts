import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { Accounts } from '../accounts';
import { ChatError } from '../errors';
import { ChangeTransactions } from '../delivery/change-transactions';
import { type FrameRequest } from '../realtime/frame-request';
import { type NewChange } from '../log/append-changes';
import { eventsOf } from '../log/entry';
import { LockedPair, type AccountEvent, type FriendRequestRow } from './locked-pair';
import { RelationsStore } from './relations.store';

/**
 * Changes friend requests, friendships and blocks. Both accounts receive the events of requests and friendships. Emits
 * `befriended` when two accounts have become friends.
 */
@Injectable()
export class RelationsService extends EventEmitter<{ befriended: [account: string, other: string] }> {
  constructor(
    private readonly accounts: Accounts,
    private readonly changeTransactions: ChangeTransactions,
    private readonly store: RelationsStore,
  ) {
    super();
  }

  /**
   * Requests a friendship. If the other account requested it before, both become friends.
   * @throws ServiceError `forbidden`, `account-not-found`, `blocked`, `conflict`, `unavailable`
   */
  async requestFriendship(addressee: string, request: FrameRequest): Promise<void> {
    const { account } = request;
    if (addressee === account) throw new ChatError('forbidden', 'a friendship is between two');
    await this.accounts.requireAll([addressee]);
    await this.change(request, account, addressee, async (pair) => {
      if (await pair.isBlocked()) throw new ChatError('blocked', 'one of you has blocked the other');
      if (await pair.areFriends()) throw new ChatError('conflict', `${addressee} is your friend already`);
      const pending = await pair.findRequest();
      if (pending?.requester === account) throw new ChatError('conflict', `${addressee} has your request already`);
      if (pending !== undefined) return accept(pair, pending);
      const id = await pair.addRequest(account, addressee);
      const payload = { id, username: account };
      return pair.changesOf([{ type: 'friendship-requested', payload, to: [account, addressee] }]);
    });
  }

  /** Accepts a request to the caller. @throws ChatError `not-found` if there is none */
  acceptRequest(id: string, request: FrameRequest): Promise<void> {
    return this.changeRequest(id, request, async (pair, pending) => {
      if (pending.addressee !== request.account) throw noSuchRequest();
      return accept(pair, pending);
    });
  }

  /** Rejects a request to the caller, or withdraws one of the caller. @throws ChatError `not-found` */
  rejectRequest(id: string, request: FrameRequest): Promise<void> {
    return this.changeRequest(id, request, async (pair, { requester, addressee }) => {
      await pair.removeRequest(id);
      return pair.changesOf([{ type: 'friendship-rejected', payload: { id }, to: [requester, addressee] }]);
    });
  }

  /** Ends a friendship. @throws ChatError `not-found` */
  async removeFriend(friend: string, request: FrameRequest): Promise<void> {
    const { account } = request;
    await this.change(request, account, friend, async (pair) => {
      const ended = await pair.endFriendship();
      if (ended.length === 0) throw new ChatError('not-found', `${friend} is not your friend`);
      return pair.changesOf(ended);
    });
  }

  /**
   * Blocks an account, which prevents messages in the dm and friendships in both directions. Ends the friendship and
   * friend request of the two.
   *
   * @throws ServiceError `forbidden`, `account-not-found`, `conflict`, `unavailable`
   */
  async block(other: string, request: FrameRequest): Promise<void> {
    const { account } = request;
    if (other === account) throw new ChatError('forbidden', 'an account cannot block itself');
    await this.accounts.requireAll([other]);
    await this.change(request, account, other, async (pair) => {
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

  /** Removes a block. @throws ChatError `not-found` */
  async unblock(other: string, request: FrameRequest): Promise<void> {
    const { account } = request;
    await this.change(request, account, other, async (pair) => {
      if (!(await pair.unblock(account, other))) throw new ChatError('not-found', `you have not blocked ${other}`);
      await pair.updateDmBlocked();
      const payload = { conversation_id: await pair.findDmId(), username: other };
      return pair.changesOf([{ type: 'user-unblocked', payload, to: [account] }]);
    });
  }

  /** Changes a pending request from or to the caller. @throws ChatError `not-found` if there is none */
  private async changeRequest(
    id: string,
    request: FrameRequest,
    change: (pair: LockedPair, pending: FriendRequestRow) => Promise<NewChange[]>,
  ): Promise<void> {
    const { account } = request;
    const found = await this.store.findRequest(id);
    if (found === undefined || ![found.requester, found.addressee].includes(account)) throw noSuchRequest();
    await this.change(request, found.requester, found.addressee, async (pair) => {
      // Another transaction may have accepted or removed it before the pair was locked.
      const pending = await pair.findRequest();
      if (pending?.id !== id) throw noSuchRequest();
      return change(pair, pending);
    });
  }

  /** Changes the relations of a pair under its lock, and emits `befriended` if the two became friends. */
  private async change(
    request: FrameRequest,
    account: string,
    other: string,
    change: (pair: LockedPair) => Promise<NewChange[]>,
  ): Promise<void> {
    const entries = await this.changeTransactions.make(request, async (client) =>
      change(await LockedPair.lock(client, account, other)),
    );
    const events = entries.flatMap((entry) => eventsOf(entry));
    if (events.some(({ type }) => type === 'friendship-accepted')) this.emit('befriended', account, other);
  }
}

/** Makes the two of a pending request friends. @returns the changes to append */
async function accept(pair: LockedPair, { id, requester, addressee }: FriendRequestRow): Promise<NewChange[]> {
  await pair.removeRequest(id);
  await pair.befriend();
  return pair.changesOf([
    { type: 'friendship-accepted', payload: { id, username: requester }, to: [addressee] },
    { type: 'friendship-accepted', payload: { id, username: addressee }, to: [requester] },
  ]);
}

function noSuchRequest(): ChatError {
  return new ChatError('not-found', 'there is no such friend request for you');
}
