import { type Chat, ChatClientError, type HistoryPage } from '@waggle/client/browser';
import { errorCodeOf } from './error-code';
import type { DataStore } from '../store/chat-data';
import type { ChatMessage } from '../store/chat-data';
import { withEntry, withoutEntry } from '../store/maps';
import {
  adjoins,
  emptyWindow,
  latestWindow,
  type Load,
  type MessageWindow,
  pageSize,
  reachesEnd,
  withNewerPage,
  withOlderPage,
  withPageBetween,
} from '../store/message-window';

/** Maximum number of conversations whose messages stay loaded, so that the user can go back to them without waiting. */
const maxWindows = 8;

/**
 * Loads the history of conversations, a page (`pageSize` messages) at a time. Events wait meanwhile, so pages and
 * events leave no gap.
 */
export class History {
  /** Identifies the last load of each conversation that is loading. */
  readonly #loads = new Map<string, symbol>();

  constructor(
    private readonly chat: Chat,
    private readonly store: DataStore,
  ) {}

  /** Loads the newest page, unless it is loaded already. Called each time that the user opens the conversation. */
  async open(id: string): Promise<void> {
    const known = this.#windowOf(id);
    const hasLatest = known !== undefined && reachesEnd(known) && known.messages.length > 0;
    const window = hasLatest ? { ...known, firstUnreadId: undefined } : emptyWindow;
    this.store.update((data) => {
      const others = withoutEntry(data.windows, id);
      // The window that was opened longest ago comes first.
      const [oldest] = others.keys();
      const kept = others.size < maxWindows || oldest === undefined ? others : withoutEntry(others, oldest);
      return { ...data, windows: withEntry(kept, id, window) };
    });
    if (!hasLatest) await this.latest(id);
  }

  /** Loads the newest page, and drops what was loaded. */
  latest(id: string): Promise<void> {
    return this.#load(id, 'latest', async () => {
      const page = await this.#page(id, undefined, pageSize);
      const conversation = this.store.data.conversations.get(id);
      const firstUnread = firstUnreadIn(page.messages, this.store.data.account, conversation?.unreadCount ?? 0);
      return () => latestWindow(page, firstUnread?.id);
    });
  }

  older(id: string): Promise<void> {
    const window = this.#windowOf(id);
    if (window?.hasOlder !== true) return Promise.resolve();
    return this.#load(id, 'older', async () => {
      const page = await this.#page(id, window.messages[0]?.timestamp, pageSize);
      return (current) => withOlderPage(current, page);
    });
  }

  newer(id: string): Promise<void> {
    const window = this.#windowOf(id);
    if (window === undefined || window.newerPageEnds.length === 0) return Promise.resolve();
    return this.#load(id, 'newer', async () => {
      const page = await this.#page(id, window.newerPageEnds.at(-1), pageSize + 1);
      return (current) => (adjoins(current, page) ? withNewerPage(current, page) : withPageBetween(current, page));
    });
  }

  /** Repeats the load that failed. */
  retry(id: string): Promise<void> {
    const failure = this.#windowOf(id)?.failure;
    return failure === undefined ? Promise.resolve() : this[failure.load](id);
  }

  async #load(id: string, kind: Load, fetch: () => Promise<(window: MessageWindow) => MessageWindow>): Promise<void> {
    const window = this.#windowOf(id);
    if (window === undefined || (window.loading !== undefined && kind !== 'latest')) return;
    const token = Symbol(kind);
    this.#loads.set(id, token);
    // Drops the page if `latest` was called since the request: it does not adjoin the newest page.
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

  #page(id: string, before: number | string | undefined, size: number): Promise<HistoryPage<ChatMessage>> {
    return this.chat.api.historyPage(id, {
      extended: true,
      pageSize: size,
      ...(before !== undefined && { before }),
    });
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

/** The first unread message of others; if it is before this page, the first message of others on it. */
function firstUnreadIn(page: readonly ChatMessage[], account: string, unreadCount: number): ChatMessage | undefined {
  if (unreadCount === 0) return undefined;
  const ofOthers = page.filter(({ from }) => from !== account);
  return ofOthers.at(-Math.min(unreadCount, ofOthers.length));
}
