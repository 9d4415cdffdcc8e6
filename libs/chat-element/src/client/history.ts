import {
  type Chat,
  ChatClientError,
  type ConversationChange,
  type HistoryPage,
  RejectedError,
} from '@waggle/client/browser';
import { errorCodeOf } from './error-code';
import type { DataStore } from '../store/chat-data';
import type { ChatMessage } from '../store/chat-data';
import { withEntry, withoutEntry } from '../store/maps';
import {
  emptyWindow,
  endSeqOf,
  firstOfOthers,
  hasOlder,
  latestWindow,
  type Load,
  type MessageWindow,
  pageSize,
  windowAfter,
  withChanges,
  withNewerPage,
  withOlderPage,
} from '../store/message-window';

/** Maximum number of conversations whose messages stay loaded, so that the user can go back to them without waiting. */
const maxWindows = 8;

/** How many entries before the first unread message are loaded with it. Further ones follow when they are shown. */
const readEntries = 10;

/**
 * Loads the history of conversations, a page (`pageSize` messages) at a time. Events wait meanwhile, so pages and
 * events leave no gap.
 */
export class History {
  /** The messages that pages were loaded around last, by conversation. */
  readonly #around = new Map<string, string>();
  /** Identifies the last load of each conversation that is loading. */
  readonly #loads = new Map<string, symbol>();

  constructor(
    private readonly chat: Chat,
    private readonly store: DataStore,
  ) {}

  /**
   * Loads the page with the first unread message, or the newest page if everything is read, unless it is loaded
   * already. Called each time that the user opens the conversation.
   */
  async open(id: string): Promise<void> {
    const known = this.#windowOf(id);
    const load = this.#isUnread(id) ? 'unread' : 'latest';
    const isLoaded = known !== undefined && this.#hasPage(id, known, load);
    this.store.update((data) => {
      const others = withoutEntry(data.windows, id);
      // The window that was opened longest ago comes first.
      const [oldest] = others.keys();
      const kept = others.size < maxWindows || oldest === undefined ? others : withoutEntry(others, oldest);
      return { ...data, windows: withEntry(kept, id, isLoaded ? known : emptyWindow) };
    });
    if (!isLoaded) await this[load](id);
  }

  /** Loads the newest page, and drops what was loaded. */
  latest(id: string): Promise<void> {
    return this.#load(id, 'latest', async () => {
      const loaded = latestWindow(await this.#page(id));
      return this.#between(id, loaded.startSeq, Infinity, () => loaded);
    });
  }

  /** Loads the page with the first unread message, and drops what was loaded. */
  unread(id: string): Promise<void> {
    return this.#load(id, 'unread', async () => {
      const startSeq = Math.max(0, this.#readSeqOf(id) - readEntries);
      const loaded = windowAfter(startSeq, await this.chat.api.historyPageAfter(id, startSeq, { pageSize }));
      return this.#between(id, startSeq, endSeqOf(loaded), () => loaded);
    });
  }

  /**
   * Loads the page around a message, and drops what was loaded. If the message does not exist anymore, it loads the
   * newest page.
   *
   * @param messageId by default the message of the last call
   */
  around(id: string, messageId = this.#around.get(id) ?? ''): Promise<void> {
    this.#around.set(id, messageId);
    return this.#load(id, 'around', async () => {
      const loaded = await this.#pageAround(id, messageId);
      return this.#between(id, loaded.startSeq, endSeqOf(loaded), () => loaded);
    });
  }

  older(id: string): Promise<void> {
    const window = this.#windowOf(id);
    if (window === undefined || !hasOlder(window)) return Promise.resolve();
    return this.#load(id, 'older', async () => {
      const page = await this.#page(id, window.messages[0]?.timestamp);
      const { startSeq } = withOlderPage(window, page);
      return this.#between(id, startSeq, window.startSeq, (current) => withOlderPage(current, page));
    });
  }

  newer(id: string): Promise<void> {
    const window = this.#windowOf(id);
    if (window === undefined || window.reachesEnd) return Promise.resolve();
    return this.#load(id, 'newer', async () => {
      const lastSeq = window.messages.at(-1)?.seq ?? window.startSeq;
      const page = await this.chat.api.historyPageAfter(id, lastSeq, { pageSize });
      const endSeq = endSeqOf(withNewerPage(window, page));
      return this.#between(id, lastSeq, endSeq, (current) => withNewerPage(current, page));
    });
  }

  /** Repeats the load that failed. */
  retry(id: string): Promise<void> {
    const failure = this.#windowOf(id)?.failure;
    return failure === undefined ? Promise.resolve() : this[failure.load](id);
  }

  async #load(id: string, kind: Load, fetch: () => Promise<(window: MessageWindow) => MessageWindow>): Promise<void> {
    const window = this.#windowOf(id);
    if (window === undefined || (window.loading !== undefined && !replaces(kind))) return;
    const token = Symbol(kind);
    this.#loads.set(id, token);
    // Drops the page if the window was replaced since the request: the page does not adjoin the new one.
    const settle = (change: (window: MessageWindow) => MessageWindow): void => {
      if (this.#loads.get(id) !== token) return;
      this.#loads.delete(id);
      this.#change(id, (current) => ({ ...change(current), loading: undefined }));
    };
    this.#change(id, (current) => ({ ...current, loading: kind, failure: undefined }));
    try {
      await this.chat.holdEvents(async () => {
        settle(await fetch());
      });
    } catch (error) {
      settle((current) => ({ ...current, failure: { load: kind, code: errorCodeOf(error) } }));
      if (!(error instanceof ChatClientError)) throw error;
    }
  }

  /** Adds the changes in a part of the stream to the window that a page makes. */
  async #between(
    id: string,
    afterSeq: number,
    endSeq: number,
    change: (window: MessageWindow) => MessageWindow,
  ): Promise<(window: MessageWindow) => MessageWindow> {
    const changes = await this.#changes(id, afterSeq, endSeq);
    return (window) => withChanges(change(window), changes);
  }

  async #changes(id: string, afterSeq: number, endSeq: number): Promise<readonly ConversationChange[]> {
    const type = this.store.data.conversations.get(id)?.type;
    if (type === undefined || type === 'dm' || afterSeq === Infinity) return [];
    try {
      const options = { afterSeq, ...(endSeq < Infinity && { untilSeq: endSeq }) };
      return (await this.chat.api.changesPage(id, options)).changes;
    } catch (error) {
      // An older service has no such list.
      if (error instanceof RejectedError && error.code === 'not-found') return [];
      throw error;
    }
  }

  async #pageAround(id: string, messageId: string): Promise<MessageWindow> {
    try {
      const page = await this.chat.api.historyPageAround(id, messageId, { pageSize });
      return windowAfter((page.messages[0]?.seq ?? 1) - 1, page);
    } catch (error) {
      if (!(error instanceof RejectedError && error.code === 'not-found')) throw error;
      return latestWindow(await this.#page(id));
    }
  }

  #page(id: string, before?: string): Promise<HistoryPage<ChatMessage>> {
    return this.chat.api.historyPage(id, { extended: true, pageSize, ...(before !== undefined && { before }) });
  }

  #isUnread(id: string): boolean {
    return (this.store.data.conversations.get(id)?.unreadCount ?? 0) > 0;
  }

  #readSeqOf(id: string): number {
    return this.store.data.conversations.get(id)?.readSeq ?? 0;
  }

  #hasPage(id: string, window: MessageWindow, page: 'unread' | 'latest'): boolean {
    if (page === 'latest') return window.reachesEnd && window.messages.length > 0;
    return firstOfOthers(window, this.#readSeqOf(id), this.store.data.account) !== undefined;
  }

  #windowOf(id: string): MessageWindow | undefined {
    return this.store.data.windows.get(id);
  }

  #change(id: string, change: (window: MessageWindow) => MessageWindow): void {
    this.store.update((data) => {
      const window = data.windows.get(id);
      return window === undefined ? data : { ...data, windows: withEntry(data.windows, id, change(window)) };
    });
  }
}

/** Whether a load replaces the window. */
function replaces(kind: Load): boolean {
  return kind === 'latest' || kind === 'unread' || kind === 'around';
}
