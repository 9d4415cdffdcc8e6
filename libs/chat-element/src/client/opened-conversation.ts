import { type Chat, EndedError, RejectedError } from '@waggle/client/browser';
import type { ChatData, DataStore } from '../store/chat-data';
import { withEntry } from '../store/maps';

/** Fetches what only an open conversation shows: its pinned messages, and how far the members of a group have read. */
export class OpenedConversation {
  readonly #fetching = new Set<string>();

  constructor(
    private readonly chat: Chat,
    private readonly store: DataStore,
  ) {}

  /** Fetches what is missing. Called whenever an open conversation is rendered. */
  fetchMissing(id: string): void {
    const { conversations, pins, receipts } = this.store.data;
    const conversation = conversations.get(id);
    if (conversation === undefined || this.#fetching.has(id)) return;
    if (!pins.has(id))
      void this.#fetch(id, async () => {
        const fetched = await this.chat.api.pins(id).catch(noneIfRejected);
        return (data) => ({ ...data, pins: withEntry(data.pins, id, fetched) });
      });
    else if (conversation.type === 'group' && !receipts.has(id))
      void this.#fetch(id, async () => {
        // Without them a message is shown as sent.
        const fetched = await this.chat.api.receipts(id).catch(noneIfRejected);
        const seqs = new Map(fetched.map(({ username, seq }) => [username, seq]));
        return (data) => ({ ...data, receipts: withEntry(data.receipts, id, seqs) });
      });
  }

  async #fetch(id: string, fetch: () => Promise<(data: ChatData) => ChatData>): Promise<void> {
    this.#fetching.add(id);
    try {
      await this.chat.retryWhileUnreachable(() =>
        this.chat.holdEvents(async () => {
          const change = await fetch();
          // Before the update, whose rendering fetches what is still missing.
          this.#fetching.delete(id);
          this.store.update((data) => (data.conversations.has(id) ? change(data) : data));
        }),
      );
    } catch (error) {
      if (!(error instanceof EndedError)) throw error;
    } finally {
      this.#fetching.delete(id);
    }
  }
}

/** A service that offers no such list, or not to this account, has none to show. Other errors may be temporary. */
function noneIfRejected(error: unknown): never[] {
  if (error instanceof RejectedError && error.status === 404) return [];
  throw error;
}
