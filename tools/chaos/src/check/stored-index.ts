import { type LostMessage, type StoredConversation, type StoredMessage } from '../observation';

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

  readonly #lost: ReadonlyMap<string, LostMessage>;
  readonly #lostMarks: ReadonlySet<string>;

  constructor(
    readonly conversations: readonly StoredConversation[],
    lost: readonly LostMessage[],
  ) {
    this.#lost = new Map(lost.map((message) => [message.id, message]));
    this.#lostMarks = new Set(lost.map(({ mark }) => mark));
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

  /** The message with that id, where it was stored and a failover has lost it. */
  lost(id: string): LostMessage | undefined {
    return this.#lost.get(id);
  }

  /** Whether a message with that mark was stored once and lost. */
  wasLost(mark: string): boolean {
    return this.#lostMarks.has(mark);
  }

  byId(id: string): Found | undefined {
    return this.#byId.get(id);
  }

  /** One of them, where the same message is stored twice. */
  byMark(mark: string): Found | undefined {
    return this.#byMark.get(mark);
  }
}
