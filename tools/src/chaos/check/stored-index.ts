import { type StoredConversation, type StoredMessage } from '../observation';

/** A stored message and where it stands. */
export interface Found {
  conversation: StoredConversation;
  message: StoredMessage;
}

/** What the database holds, by what it is asked for. */
export class StoredIndex {
  readonly #byId = new Map<string, Found>();
  readonly #byMark = new Map<string, Found>();
  readonly #conversations: ReadonlyMap<string, StoredConversation>;

  constructor(readonly conversations: readonly StoredConversation[]) {
    this.#conversations = new Map(conversations.map((conversation) => [conversation.id, conversation]));
    for (const conversation of conversations) {
      for (const message of conversation.messages) {
        const found = { conversation, message };
        this.#byId.set(message.id, found);
        this.#byMark.set(message.mark, found);
      }
    }
  }

  conversation(id: string): StoredConversation | undefined {
    return this.#conversations.get(id);
  }

  byId(id: string): Found | undefined {
    return this.#byId.get(id);
  }

  /** One of them, where the same message is stored twice. */
  byMark(mark: string): Found | undefined {
    return this.#byMark.get(mark);
  }
}
