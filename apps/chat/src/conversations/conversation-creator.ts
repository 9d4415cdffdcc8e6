import { Injectable } from '@nestjs/common';
import { type Conversation } from '@waggle/contracts';
import { type ClientBase } from 'pg';
import { ChatError } from '../errors';
import { newIdentifier } from '../identifier';
import { appendMessages, newMessage } from '../messages/append-messages';
import { Changes } from '../messages/changes';
import { eventsOf } from '../messages/message-events';
import { stored } from '../messages/refusals';
import { type ChatEvent } from '../realtime/events';
import { type FrameRequest } from '../realtime/frame-request';
import { LockedPair } from '../relations/locked-pair';
import { readConversation } from './conversation-rows';
import { ConversationsStore } from './conversations.store';

/** Makes conversations and tells their members: a message that another member adds at once is told after the first one. */
@Injectable()
export class ConversationCreator {
  constructor(
    private readonly changes: Changes,
    private readonly store: ConversationsStore,
  ) {}

  /**
   * A dm with its first message.
   * @returns false where the pair has one already; then nothing is stored
   * @throws ServiceError `blocked`, `friends-only`
   */
  async createDm(creator: string, other: string, text: string, cause: FrameRequest): Promise<boolean> {
    const id = newIdentifier();
    const told = await this.changes.make(cause, async (client) => {
      const pair = await LockedPair.lock(client, creator, other);
      if (!(await this.store.insert(client, { id, type: 'dm', creator, other }))) return [];
      await pair.markDm();
      return begin(client, id, creator, text);
    });
    return told.length > 0;
  }

  /** A group with its first message. @throws ServiceError `blocked` where a member has blocked the creator */
  async createGroup(creator: string, members: readonly string[], text: string, cause: FrameRequest): Promise<void> {
    const id = newIdentifier();
    await this.changes.make(cause, async (client) => {
      const [blocker] = await this.store.findBlockersOf(client, creator, members);
      if (blocker !== undefined) throw new ChatError('blocked', `${blocker} has blocked you`);
      await this.store.insert(client, { id, type: 'group', creator, members });
      return begin(client, id, creator, text);
    });
  }

  /** A channel, which begins without a message. @returns its id */
  async createChannel(creator: string, name: string): Promise<string> {
    const id = newIdentifier();
    await this.changes.make(undefined, async (client) => {
      await this.store.insert(client, { id, type: 'channel', creator, name });
      return [toldOf(await readConversation(client, id))];
    });
    return id;
  }
}

/** The first message of a new conversation, which judges it like any other. */
async function begin(client: ClientBase, conversationId: string, creator: string, content: string) {
  const message = newMessage(creator, { conversationId, to: null, content });
  const [appended] = await appendMessages(client, [message]);
  if (appended === undefined) throw new Error('a message without an outcome');
  return [toldOf(await readConversation(client, conversationId)), ...eventsOf(stored(message, appended))];
}

function toldOf(conversation: Conversation): ChatEvent {
  return { type: 'conversation-created', payload: conversation, to: conversation.members };
}
