import { Injectable } from '@nestjs/common';
import { MessageQueue } from '../messages/message-queue';
import { MessagesService } from '../messages/messages.service';
import { Events } from '../realtime/events';
import { type FrameRequest } from '../realtime/frame-request';
import { ConversationsStore, type NewConversation } from './conversations.store';

/** Makes a conversation with its first message and tells its members of both. */
@Injectable()
export class ConversationCreator {
  constructor(
    private readonly queue: MessageQueue,
    private readonly store: ConversationsStore,
    private readonly messages: MessagesService,
    private readonly events: Events,
  ) {}

  /**
   * In the turn of the message queue: a message that another member adds at once is told after the first one.
   * @returns false where the pair has a dm already; then nothing is stored
   */
  create(conversation: NewConversation, content: string, cause: FrameRequest): Promise<boolean> {
    return this.queue.inTurn(async () => {
      const created = await this.store.create(conversation, content);
      if (created === undefined) return false;
      const { members } = created.conversation;
      this.events.publish({ type: 'conversation-created', payload: created.conversation, to: members, cause });
      this.messages.announce(created.message, created.appended, cause);
      return true;
    });
  }
}
