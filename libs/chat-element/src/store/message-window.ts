import type { ChatEvents, ConversationChange, HistoryPage, NewerHistoryPage } from '@waggle/client/browser';
import type { ChatMessage } from './chat-data';

/** Messages per request. */
export const pageSize = 50;

/** Maximum number of loaded messages of a conversation. Beyond it, messages are dropped at the opposite end. */
const maxMessages = 5 * pageSize;

/** Length of the text in a quote, in characters, as the service cuts it. */
const quoteCharacters = 140;

/** Maximum number of changes between the loaded messages. Older ones are left out. */
const maxChanges = 500;

/**
 * What is loaded: the page before the window, the page after it, or instead of the window the newest page, the one with
 * the first unread message, or the one around a message.
 */
export type Load = 'older' | 'newer' | 'latest' | 'unread' | 'around';

/** A contiguous part of a conversation's history, in ascending order. */
export interface MessageWindow {
  messages: readonly ChatMessage[];
  /** The changes of the conversation between the messages. */
  changes: readonly ConversationChange[];
  /**
   * The window has every message after this sequence number, up to its last one. 0 if it begins with the first message
   * of the conversation; infinite before the first page is loaded.
   */
  startSeq: number;
  /** Whether it has the newest message, so that new messages belong to it. */
  reachesEnd: boolean;
  loading: Load | undefined;
  /** The last load, if it failed, and why: an error code. */
  failure: { load: Load; code: string } | undefined;
}

/** The window before its first page is loaded. */
export const emptyWindow: MessageWindow = {
  messages: [],
  changes: [],
  startSeq: Infinity,
  reachesEnd: true,
  loading: undefined,
  failure: undefined,
};

/** Whether older messages may exist. */
export function hasOlder({ startSeq }: MessageWindow): boolean {
  return startSeq > 0;
}

/** Whether nothing can be shown yet: the first page is loading, or could not be loaded. */
export function isUnloaded({ startSeq }: MessageWindow): boolean {
  return startSeq === Infinity;
}

/** The window of the newest page. */
export function latestWindow({ messages, hasOlder: hasMore }: HistoryPage<ChatMessage>): MessageWindow {
  return { ...emptyWindow, messages, startSeq: hasMore ? seqBefore(messages) : 0 };
}

/** The window of a page after a sequence number. */
export function windowAfter(startSeq: number, { messages, hasNewer }: NewerHistoryPage): MessageWindow {
  return { ...emptyWindow, messages, startSeq, reachesEnd: !hasNewer };
}

/** The end of the window: it has everything up to this sequence number. */
export function endSeqOf({ messages, startSeq, reachesEnd }: MessageWindow): number {
  return reachesEnd ? Infinity : (messages.at(-1)?.seq ?? startSeq);
}

/** Adds changes between the messages. */
export function withChanges(window: MessageWindow, added: readonly ConversationChange[]): MessageWindow {
  if (added.length === 0) return window;
  const bySeq = new Map([...window.changes, ...added].map((change) => [change.seq, change]));
  return withoutOuterChanges({ ...window, changes: [...bySeq.values()].toSorted((a, b) => a.seq - b.seq) });
}

/** The first message of others after a sequence number, if the window has it. */
export function firstOfOthers(
  { messages, startSeq }: MessageWindow,
  afterSeq: number,
  account: string,
): ChatMessage | undefined {
  return startSeq > afterSeq ? undefined : messages.find(({ seq, from }) => seq > afterSeq && from !== account);
}

/** All messages after a sequence number and up to another, if the window has the newest messages and these. */
export function messagesBetween(
  window: MessageWindow | undefined,
  afterSeq: number,
  lastSeq: number,
): readonly ChatMessage[] | undefined {
  return window === undefined || !window.reachesEnd || window.startSeq > afterSeq
    ? undefined
    : window.messages.filter(({ seq }) => seq > afterSeq && seq <= lastSeq);
}

/** Puts the page before the window; drops what is too much at the newer end. */
export function withOlderPage(window: MessageWindow, page: HistoryPage<ChatMessage>): MessageWindow {
  const known = new Set(window.messages.map(({ id }) => id));
  const all = [...page.messages.filter(({ id }) => !known.has(id)), ...window.messages];
  return withoutOuterChanges({
    ...window,
    messages: all.slice(0, maxMessages),
    startSeq: page.hasOlder ? seqBefore(all) : 0,
    reachesEnd: window.reachesEnd && all.length <= maxMessages,
  });
}

/** Appends the page after the window; drops what is too much at the older end. */
export function withNewerPage(window: MessageWindow, { messages, hasNewer }: NewerHistoryPage): MessageWindow {
  return withoutOldest({ ...window, messages: [...window.messages, ...messages], reachesEnd: !hasNewer });
}

/** Adds a message that was just written, if the window reaches to the end. */
export function withNewMessage(window: MessageWindow, message: ChatMessage): MessageWindow {
  // The event of a message that the newest page left out may arrive after the page.
  const isBefore = message.seq <= window.startSeq && !isUnloaded(window);
  if (!window.reachesEnd || isBefore || window.messages.some(({ id }) => id === message.id)) return window;
  const messages = [...window.messages];
  // Own messages may arrive ahead of earlier ones, as replies.
  const index = messages.findLastIndex(({ seq }) => seq <= message.seq) + 1;
  messages.splice(index, 0, message);
  return withoutOldest({ ...window, messages, startSeq: Math.min(window.startSeq, message.seq - 1) });
}

/** The part of a text that quotes and pins show. */
export function quoteOf(content: string): string {
  return Array.from(content).slice(0, quoteCharacters).join('');
}

/** Replaces the text of a message, and in the quotes of it. */
export function withEditedMessage(
  window: MessageWindow,
  { id, content, revision, edited_at, mentions }: ChatEvents['message-edited'],
): MessageWindow {
  // A page that was fetched before the event arrived may have a later revision.
  const isOutdated = (message: ChatMessage) => message.id === id && (message.revision ?? 0) < revision;
  const messages = withQuotes(window.messages, id, quoteOf(content));
  const edit = { content, revision, edited_at, mentions };
  return { ...window, messages: messages.map((message) => (isOutdated(message) ? { ...message, ...edit } : message)) };
}

/** Sets the reactions to a message. @param account whose own reactions they are */
export function withReactions(
  window: MessageWindow,
  { id, reactions, changes }: ChatEvents['reactions-changed'],
  account: string | undefined,
): MessageWindow {
  const ofAccount = new Map(
    changes.filter(({ username }) => username === account).map(({ emoji, added }) => [emoji, added]),
  );
  const changed = (message: ChatMessage): ChatMessage => {
    const owned = new Set(message.reactions?.filter(({ own }) => own).map(({ emoji }) => emoji));
    return {
      ...message,
      reactions: reactions.map((reaction) => ({
        ...reaction,
        own: ofAccount.get(reaction.emoji) ?? owned.has(reaction.emoji),
      })),
    };
  };
  return { ...window, messages: window.messages.map((message) => (message.id === id ? changed(message) : message)) };
}

/** Removes a message, and its text from the quotes of it. */
export function withoutMessage(window: MessageWindow, id: string): MessageWindow {
  const messages = window.messages.filter((message) => message.id !== id);
  return { ...window, messages: withQuotes(messages, id, null) };
}

/** Sets the text in the quotes of a message; null if it was deleted. */
function withQuotes(messages: readonly ChatMessage[], id: string, content: string | null): ChatMessage[] {
  return messages.map((message) =>
    message.reply_to?.id === id ? { ...message, reply_to: { ...message.reply_to, content } } : message,
  );
}

/** Drops whole pages, so that a busy conversation does not shift with every message. */
function withoutOldest(window: MessageWindow): MessageWindow {
  const excess = window.messages.length - maxMessages;
  if (excess <= 0) return window;
  const dropped = Math.ceil(excess / pageSize) * pageSize;
  return withoutOuterChanges({
    ...window,
    messages: window.messages.slice(dropped),
    startSeq: window.messages[dropped - 1]?.seq ?? window.startSeq,
  });
}

/** Drops the changes that are not between the messages, and the oldest if they are too many. */
function withoutOuterChanges(window: MessageWindow): MessageWindow {
  const endSeq = endSeqOf(window);
  const inside = window.changes.filter(({ seq }) => seq > window.startSeq && seq <= endSeq);
  return { ...window, changes: inside.slice(-maxChanges) };
}

/** The sequence number before the first of these messages. */
function seqBefore([first]: readonly ChatMessage[]): number {
  return first === undefined ? Infinity : first.seq - 1;
}
