import { Inject, Injectable } from '@nestjs/common';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { notThere } from '../errors';
import { Changes } from '../messages/changes';
import { type FrameRequest } from '../realtime/frame-request';
import { type NewChange } from '../streams/streams.store';
import { LockedConversation } from './locked-conversation';
import { type Role } from './role';

/** Who asks for a change, and what they are in the conversation. */
export interface Actor {
  account: string;
  role: Role;
}

/** What a change of a conversation is to clients. */
export type ConversationChange = Omit<Extract<NewChange, { conversationId: string }>, 'conversationId'>;

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
  async change(
    conversationId: string,
    request: FrameRequest,
    change: (conversation: LockedConversation, actor: Actor) => Promise<ConversationChange>,
  ): Promise<void> {
    const { account } = request.caller;
    await this.changes.make(request, async (client) => {
      const conversation = await LockedConversation.lock(client, conversationId, this.config.admins);
      if (conversation === undefined) throw notThere();
      const role = await conversation.roleOf(account);
      if (role === 'none' && conversation.type !== 'channel') throw notThere();
      return [{ conversationId, ...(await change(conversation, { account, role })) }];
    });
  }
}
