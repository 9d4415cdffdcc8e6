import type { HistoryPage } from '@waggle/client/browser';
import type { ChatMessage } from './chat-data';

type Page = HistoryPage<ChatMessage>;

/** Messages per request. */
export const pageSize = 50;

/** Maximum number of loaded messages of a conversation. Beyond it, pages are dropped at the opposite end. */
const maxMessages = 5 * pageSize;

/** Which page is loaded: the one before the window, the one after it, or the newest one instead of it. */
export type Load = 'older' | 'newer' | 'latest';

/**
 * A contiguous part of a conversation's history, in ascending order. The service pages backwards only, so the window
 * remembers, for each page that was dropped at its newer end, the parameter `before` that fetches it again.
 */
export interface MessageWindow {
  messages: readonly ChatMessage[];
  /** Whether older messages may exist. */
  hasOlder: boolean;
  /**
   * A stack of the ends of the pages that follow, in milliseconds since 1970; the last entry is the end of the next
   * page. The first entry is undefined: it stands for the newest page, which may have grown since it was dropped. Empty
   * if the window reaches to the end.
   */
  newerPageEnds: readonly (number | undefined)[];
  loading: Load | undefined;
  /** The last load, if it failed, and why: an error code. */
  failure: { load: Load; code: string } | undefined;
  /** The first message that was unread when the conversation was opened. */
  firstUnreadId: string | undefined;
}

export const emptyWindow: MessageWindow = {
  messages: [],
  hasOlder: true,
  newerPageEnds: [],
  loading: undefined,
  failure: undefined,
  firstUnreadId: undefined,
};

export function reachesEnd({ newerPageEnds }: MessageWindow): boolean {
  return newerPageEnds.length === 0;
}

/** The window of the newest page. */
export function latestWindow({ messages, hasOlder }: Page, firstUnreadId?: string): MessageWindow {
  return { ...emptyWindow, messages, hasOlder, firstUnreadId };
}

/** Puts the page before the window; drops what is too much at the newer end. */
export function withOlderPage(window: MessageWindow, { messages, hasOlder }: Page): MessageWindow {
  const known = new Set(window.messages.map(({ id }) => id));
  const all = [...messages.filter(({ id }) => !known.has(id)), ...window.messages];
  let end = all.length;
  const newerPageEnds = [...window.newerPageEnds];
  while (end > maxMessages) {
    if (newerPageEnds.length === 0) newerPageEnds.push(undefined);
    newerPageEnds.push(endOf(all.slice(0, end)));
    end -= pageSize;
  }
  return { ...window, messages: all.slice(0, end), hasOlder, newerPageEnds };
}

/**
 * The parameter `before`, which is exclusive, of a page that ends with the last message. No two messages of a
 * conversation have the same time.
 */
function endOf(messages: readonly ChatMessage[]): number | undefined {
  const last = messages.at(-1);
  return last === undefined ? undefined : Date.parse(last.timestamp) + 1;
}

/**
 * Whether no messages are missing between the window and a page that was fetched for its newer end, with one message
 * more than was dropped.
 */
export function adjoins({ messages }: MessageWindow, page: Page): boolean {
  const [oldest] = page.messages;
  return oldest === undefined || !page.hasOlder || oldest.seq <= (messages.at(-1)?.seq ?? -1);
}

/**
 * Remembers that messages are missing before a page: the next load fetches those up to and including its first message.
 */
export function withPageBetween(window: MessageWindow, { messages }: Page): MessageWindow {
  return { ...window, newerPageEnds: [...window.newerPageEnds, endOf(messages.slice(0, 1))] };
}

/** Appends the next newer page; drops pages at the older end. */
export function withNewerPage(window: MessageWindow, page: Page): MessageWindow {
  const newest = window.messages.at(-1)?.seq ?? -1;
  const all = [...window.messages, ...page.messages.filter(({ seq }) => seq > newest)];
  return withoutOldest({ ...window, messages: all, newerPageEnds: window.newerPageEnds.slice(0, -1) });
}

/** Adds a message that was just written, if the window reaches to the end. */
export function withNewMessage(window: MessageWindow, message: ChatMessage): MessageWindow {
  if (!reachesEnd(window) || window.messages.some(({ id }) => id === message.id)) return window;
  const messages = [...window.messages];
  // Own messages may arrive ahead of earlier ones, as replies.
  const index = messages.findLastIndex(({ seq }) => seq <= message.seq) + 1;
  messages.splice(index, 0, message);
  return withoutOldest({ ...window, messages });
}

export function withoutMessage(window: MessageWindow, id: string): MessageWindow {
  if (!window.messages.some((message) => message.id === id)) return window;
  return { ...window, messages: window.messages.filter((message) => message.id !== id) };
}

/** Drops whole pages, so that a busy conversation does not shift with every message. */
function withoutOldest(window: MessageWindow): MessageWindow {
  const excess = window.messages.length - maxMessages;
  if (excess <= 0) return window;
  const dropped = Math.ceil(excess / pageSize) * pageSize;
  return { ...window, messages: window.messages.slice(dropped), hasOlder: true };
}
