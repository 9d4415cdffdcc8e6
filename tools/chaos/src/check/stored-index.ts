import { type LostMessage, type StoredConversation, type StoredMessage } from '../observation';

export interface Found {
  conversation: StoredConversation;
  message: StoredMessage;
}

/** Finds stored and lost messages. */
export class StoredIndex {
  private readonly foundById = new Map<string, Found>();
  private readonly foundByTag = new Map<string, Found>();
  private readonly conversationById: ReadonlyMap<string, StoredConversation>;
  private readonly lostById: ReadonlyMap<string, LostMessage>;
  private readonly lostTags: ReadonlySet<string>;

  constructor(
    readonly conversations: readonly StoredConversation[],
    lost: readonly LostMessage[],
  ) {
    this.lostById = new Map(lost.map((message) => [message.id, message]));
    this.lostTags = new Set(lost.map(({ tag }) => tag));
    this.conversationById = new Map(conversations.map((conversation) => [conversation.id, conversation]));
    for (const conversation of conversations) {
      for (const message of conversation.messages) {
        const found = { conversation, message };
        this.foundById.set(message.id, found);
        this.foundByTag.set(message.tag, found);
      }
    }
  }

  conversation(id: string): StoredConversation | undefined {
    return this.conversationById.get(id);
  }

  /** The message with this id if a failover lost it. */
  lost(id: string): LostMessage | undefined {
    return this.lostById.get(id);
  }

  /** Whether a failover lost a message with this tag. A retry may have stored it again. */
  wasLost(tag: string): boolean {
    return this.lostTags.has(tag);
  }

  byId(id: string): Found | undefined {
    return this.foundById.get(id);
  }

  /** One of them if the message is stored twice. */
  byTag(tag: string): Found | undefined {
    return this.foundByTag.get(tag);
  }
}
