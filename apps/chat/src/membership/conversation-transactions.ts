import { Inject, Injectable } from '@nestjs/common';
import { CONVERSATION_SETTINGS, type ConversationSettings } from './conversation-settings';
import { ChangeTransactions } from '../delivery/change-transactions';
import { notFound } from '../errors';
import { type NewChange } from '../log/append-changes';
import { madeBy } from '../log/history-changes';
import { type FrameRequest } from '../realtime/frame-request';
import { LockedPair } from '../relations/locked-pair';
import { LockedConversation, type Role } from './locked-conversation';

/**
 * What a change appends: to the conversation, if `events` is not empty, and to the streams of accounts in `ofAccounts`.
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
   * @param change authorizes and makes the change, for a caller with this role; returns what to append to the log
   * @param other an account whose pair with the caller is locked too, unless it is the caller. The pair is locked
   * first: a transaction that holds a pair may wait for a conversation, so the reverse could deadlock
   * @throws ChatError `not-found` if the conversation does not exist or the caller may not see it, and what the change
   * throws; with `other` also `unavailable` while all pairs of either account are locked
   */
  async change(
    conversationId: string,
    request: FrameRequest,
    change: (conversation: LockedConversation, role: Role, pair: LockedPair | undefined) => Promise<ConversationChange>,
    other?: string,
  ): Promise<void> {
    const { account } = request;
    await this.changeTransactions.make(request, async (client) => {
      const hasPair = other !== undefined && other !== account;
      const pair = hasPair ? await LockedPair.lock(client, account, other) : undefined;
      const conversation = await LockedConversation.lock(client, conversationId, this.settings.admins);
      if (conversation === undefined) throw notFound();
      const role = conversation.roleOf(account, await conversation.recordOf(account));
      if (role === 'none' && conversation.type !== 'channel') throw notFound();
      const { ofAccounts = [], ...ofConversation } = await change(conversation, role, pair);
      if (ofConversation.events.length === 0) return [...ofAccounts];
      const events = madeBy(account, ofConversation.events, conversation.type);
      return [{ conversationId, ...ofConversation, events }, ...ofAccounts];
    });
  }
}
