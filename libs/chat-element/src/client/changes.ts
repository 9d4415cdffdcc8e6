import { type Chat, ChatClientError, type ConversationChange } from '@waggle/client/browser';
import type { DataStore } from '../store/chat-data';
import { expectChange, missingChanges, type SeqRange, withChanges } from '../store/loaded-changes';

/** Maximum number of changes that are loaded at once: further ones of a busy channel are left out. */
const maxChanges = 1_000;

/**
 * Loads who changed a group or channel, for its history: between the messages that are loaded. Events wait meanwhile.
 */
export class Changes {
  readonly #loading = new Set<string>();

  constructor(
    private readonly chat: Chat,
    private readonly store: DataStore,
  ) {}

  /** Loads what is missing. What cannot be loaded now is loaded with the next page, or after the next change. */
  async load(id: string): Promise<void> {
    if (this.#loading.has(id)) return;
    this.#loading.add(id);
    try {
      for (let range = this.#missing(id); range !== undefined; range = this.#missing(id))
        await this.#loadRange(id, range);
    } catch (error) {
      if (!(error instanceof ChatClientError)) throw error;
    } finally {
      this.#loading.delete(id);
    }
  }

  /** Loads a change whose event has arrived: the event does not say who made it. */
  loadNew(id: string, seq: number): void {
    this.store.update((data) => expectChange(data, id, seq));
    void this.load(id);
  }

  #missing(id: string): SeqRange | undefined {
    return missingChanges(this.store.data, id);
  }

  #loadRange(id: string, { after, until }: SeqRange): Promise<void> {
    return this.chat.holdEvents(async () => {
      const items: ConversationChange[] = [];
      const options = { afterSeq: after, ...(until < Infinity && { untilSeq: until }) };
      for await (const change of this.chat.api.changes(id, options)) {
        items.push(change);
        if (items.length === maxChanges) break;
      }
      this.store.update((data) => withChanges(data, id, { after, until, items }));
    });
  }
}
