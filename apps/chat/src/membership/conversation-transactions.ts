import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { CONVERSATION_SETTINGS, type ConversationSettings } from './conversation-settings';
import { ChangeTransactions } from '../delivery/change-transactions';
import { notFound } from '../errors';
import { type NewChange } from '../log/append-changes';
import { madeBy } from '../log/history-changes';
import { type FrameRequest } from '../realtime/frame-request';
import { LockedPair } from '../relations/locked-pair';
import { LockedConversation, type Role } from './locked-conversation';

/**
 * What a change appends: an entry of the conversation, if `events` is not empty, and an entry of each account in
 * `ofAccounts`.
 */
export type ConversationChange = Omit<Extract<NewChange, { conversationId: string }>, 'conversationId'> & {
  ofAccounts?: readonly Extract<NewChange, { account: string }>[];
};

/** Changes conversations, each in a transaction that locks it, so that concurrent changes are serialized. */
@Injectable()
export class ConversationTransactions {
  constructor(
    private readonly changeTransactions: ChangeTransactions,
    @Inject(CONVERSATION_SETTINGS) private readonly settings: ConversationSettings,
  ) {}

  /**
   * Makes one change of a conversation.
   *
   * @param change authorizes and makes the change, for a caller with this role; returns what to append to the log
   * @throws ChatError `not-found` if the conversation does not exist or the caller may not see it, and what the change
   * throws
   */
  async change(
    conversationId: string,
    request: FrameRequest,
    change: (conversation: LockedConversation, role: Role) => Promise<ConversationChange>,
  ): Promise<void> {
    await this.changeTransactions.make(request, (client) => this.changeLocked(client, conversationId, request, change));
  }

  /**
   * Makes one change of a conversation that depends on the relation of the caller and another account. Their pair is
   * locked first: a transaction that holds a pair may wait for a conversation, so the reverse could deadlock.
   *
   * @param change as for `change`; `pair` is undefined if the other account is the caller
   * @throws ChatError as `change`; `unavailable` while all pairs of either account are locked
   */
  async changeWithPair(
    conversationId: string,
    request: FrameRequest,
    other: string,
    change: (conversation: LockedConversation, role: Role, pair: LockedPair | undefined) => Promise<ConversationChange>,
  ): Promise<void> {
    const { account } = request;
    await this.changeTransactions.make(request, async (client) => {
      const pair = other === account ? undefined : await LockedPair.lock(client, account, other);
      return this.changeLocked(client, conversationId, request, (conversation, role) =>
        change(conversation, role, pair),
      );
    });
  }

  private async changeLocked(
    client: ClientBase,
    conversationId: string,
    { account }: FrameRequest,
    change: (conversation: LockedConversation, role: Role) => Promise<ConversationChange>,
  ): Promise<NewChange[]> {
    const conversation = await LockedConversation.lock(client, conversationId, this.settings.admins);
    if (conversation === undefined) throw notFound();
    const role = conversation.roleOf(account, await conversation.recordOf(account));
    if (role === 'none' && conversation.type !== 'channel') throw notFound();
    const { ofAccounts = [], ...ofConversation } = await change(conversation, role);
    if (ofConversation.events.length === 0) return [...ofAccounts];
    const events = madeBy(account, ofConversation.events, conversation.type);
    return [{ conversationId, ...ofConversation, events }, ...ofAccounts];
  }
}
