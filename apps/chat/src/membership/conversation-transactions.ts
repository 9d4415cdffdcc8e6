import { Inject, Injectable } from '@nestjs/common';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { ChangeTransactions } from '../delivery/change-transactions';
import { notFound } from '../errors';
import { type NewChange } from '../log/append-changes';
import { type FrameRequest } from '../realtime/frame-request';
import { LockedPair } from '../relations/locked-pair';
import { LockedConversation } from './locked-conversation';
import { type Role } from './role';

/** The account that requests a change, and its role in the conversation. */
export interface Actor {
  account: string;
  role: Role;
}

/** What a change appends: to the conversation, if `events` is not empty, and to the streams of accounts in `ofAccounts`. */
export type ConversationChange = Omit<Extract<NewChange, { conversationId: string }>, 'conversationId'> & {
  ofAccounts?: readonly Extract<NewChange, { account: string }>[];
};

/** Changes conversations, each in a transaction that locks it, so that concurrent changes are serialized. */
@Injectable()
export class ConversationTransactions {
  constructor(
    private readonly changeTransactions: ChangeTransactions,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  /**
   * @param change authorizes and makes the change; returns what to append to the log
   * @throws ChatError `not-found` if the conversation does not exist or the caller may not see it, and what the change throws
   */
  change(
    conversationId: string,
    request: FrameRequest,
    change: (conversation: LockedConversation, actor: Actor) => Promise<ConversationChange>,
  ): Promise<void> {
    return this.changeWithPair(conversationId, request, undefined, (conversation, actor) =>
      change(conversation, actor),
    );
  }

  /**
   * Does the same as `change`, with the pair of the caller and another account locked too. The pair is locked first: a transaction that
   * holds a pair may wait for a conversation, so the reverse could deadlock.
   *
   * @param other if undefined or the caller, no pair is locked
   * @throws ChatError as `change`, and `unavailable` while all pairs of either account are locked
   */
  async changeWithPair(
    conversationId: string,
    request: FrameRequest,
    other: string | undefined,
    change: (
      conversation: LockedConversation,
      actor: Actor,
      pair: LockedPair | undefined,
    ) => Promise<ConversationChange>,
  ): Promise<void> {
    const { account } = request;
    await this.changeTransactions.make(request, async (client) => {
      const hasPair = other !== undefined && other !== account;
      const pair = hasPair ? await LockedPair.lock(client, account, other) : undefined;
      const conversation = await LockedConversation.lock(client, conversationId, this.config.admins);
      if (conversation === undefined) throw notFound();
      const role = await conversation.roleOf(account);
      if (role === 'none' && conversation.type !== 'channel') throw notFound();
      const { ofAccounts = [], ...ofConversation } = await change(conversation, { account, role }, pair);
      if (ofConversation.events.length === 0) return [...ofAccounts];
      return [{ conversationId, ...ofConversation }, ...ofAccounts];
    });
  }
}
