import { type LostMessage, type StoredConversation, type StoredMessage } from '../observation';

export interface Found {
  conversation: StoredConversation;
  message: StoredMessage;
}

/** Finds stored and lost messages. */
export class StoredIndex {
  readonly #byId = new Map<string, Found>();
  readonly #byTag = new Map<string, Found>();
  readonly #conversations: ReadonlyMap<string, StoredConversation>;
  readonly #lost: ReadonlyMap<string, LostMessage>;
  readonly #lostTags: ReadonlySet<string>;

  constructor(
    readonly conversations: readonly StoredConversation[],
    lost: readonly LostMessage[],
  ) {
    this.#lost = new Map(lost.map((message) => [message.id, message]));
    this.#lostTags = new Set(lost.map(({ tag }) => tag));
    this.#conversations = new Map(conversations.map((conversation) => [conversation.id, conversation]));
    for (const conversation of conversations) {
      for (const message of conversation.messages) {
        const found = { conversation, message };
        this.#byId.set(message.id, found);
        this.#byTag.set(message.tag, found);
      }
    }
  }

  conversation(id: string): StoredConversation | undefined {
    return this.#conversations.get(id);
  }

  /** The message with this id if a failover lost it. */
  lost(id: string): LostMessage | undefined {
    return this.#lost.get(id);
  }

  /** Whether a failover lost a message with this tag. A retry may have stored it again. */
  wasLost(tag: string): boolean {
    return this.#lostTags.has(tag);
  }

  byId(id: string): Found | undefined {
    return this.#byId.get(id);
  }

  /** One of them if the message is stored twice. */
  byTag(tag: string): Found | undefined {
    return this.#byTag.get(tag);
  }
}
