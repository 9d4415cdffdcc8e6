import { Inject, Injectable } from '@nestjs/common';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { Changes } from '../delivery/changes';
import { notThere } from '../errors';
import { type NewChange } from '../log/append-changes';
import { type FrameRequest } from '../realtime/frame-request';
import { LockedPair } from '../relations/locked-pair';
import { LockedConversation } from './locked-conversation';
import { type Role } from './role';

/** Who asks for a change, and what they are in the conversation. */
export interface Actor {
  account: string;
  role: Role;
}

/** What a change of a conversation appends to it, and to the streams of accounts. */
export type ConversationChange = Omit<Extract<NewChange, { conversationId: string }>, 'conversationId'> & {
  ofAccounts?: readonly Extract<NewChange, { account: string }>[];
};

/** Changes conversations, each locked: of two changes that race each sees the other whole or not at all. */
@Injectable()
export class ConversationChanges {
  constructor(
    private readonly changes: Changes,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  /**
   * @param change judges the change and makes it; returns what is told of it
   * @throws ServiceError `not-found` where the conversation is not there or not the caller's, and what the change throws
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
   * As `change`, with the pair of the caller and another account locked too. The pair is locked before the conversation: a
   * transaction that holds a conversation must not wait for a pair, whose holder may wait for a conversation.
   *
   * @param other the change gets no pair if this is the caller
   * @throws ServiceError as `change`, and `unavailable` if the pair stays locked
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
    const { account } = request.caller;
    await this.changes.make(request, async (client) => {
      const hasPair = other !== undefined && other !== account;
      const pair = hasPair ? await LockedPair.lock(client, account, other) : undefined;
      const conversation = await LockedConversation.lock(client, conversationId, this.config.admins);
      if (conversation === undefined) throw notThere();
      const role = await conversation.roleOf(account);
      if (role === 'none' && conversation.type !== 'channel') throw notThere();
      const { ofAccounts = [], ...ofConversation } = await change(conversation, { account, role }, pair);
      return [{ conversationId, ...ofConversation }, ...ofAccounts];
    });
  }
}
