import type {
  ChatEvents,
  Conversation,
  ExtendedConversation,
  Message,
  Pin,
  StreamPosition,
} from '@waggle/client/browser';
import { type ChatData, type ConversationData, maxUnreadCount } from './chat-data';
import { withEntry, withoutEntry } from './maps';
import { countsAsMention } from './mentioned';
import { messagesBetween, type MessageWindow } from './message-window';

/** Returns a fetched conversation, with what only events say of a known one. */
export function fetchedConversation(
  { last_seq, read_seq, unread_count, mention_count, last_message, ...conversation }: ExtendedConversation,
  known?: ConversationData,
): ConversationData {
  return {
    ...conversation,
    fetchedSeq: last_seq,
    lastSeq: known?.lastSeq ?? last_seq,
    unreadCount: unread_count,
    mentionCount: mention_count,
    readSeq: read_seq,
    countedSeq: last_seq,
    lastMessage: last_message ?? undefined,
    receiptSeq: known?.receiptSeq ?? -1,
    isStale: false,
  };
}

/** Adds a conversation by an event. The event lacks its earlier messages and counts, so it is stale. */
export function createdConversation(data: ChatData, conversation: Conversation): ChatData {
  const added: ConversationData = {
    unreadCount: 0,
    mentionCount: 0,
    readSeq: -1,
    countedSeq: -1,
    lastMessage: undefined,
    muted: false,
    favourite: false,
    receiptSeq: -1,
    fetchedSeq: -1,
    lastSeq: -1,
    ...data.conversations.get(conversation.id),
    ...conversation,
    isStale: true,
  };
  return addConversation(data, added);
}

/** Adds or replaces a conversation. */
export function addConversation(data: ChatData, conversation: ConversationData): ChatData {
  const { id } = conversation;
  return {
    ...data,
    conversations: withEntry(data.conversations, id, conversation),
    former: withoutEntry(data.former, id),
  };
}

/** Changes a conversation by an event, unless what was fetched contains the event already. */
export function changeByEvent(
  data: ChatData,
  id: string,
  position: StreamPosition | undefined,
  change: (conversation: ConversationData) => ConversationData,
): ChatData {
  return changeConversation(data, id, (conversation) => {
    const isContained = position !== undefined && position.seq <= conversation.fetchedSeq;
    const changed = isContained ? conversation : change(conversation);
    const lastSeq = Math.max(conversation.lastSeq, position?.seq ?? -1);
    return lastSeq === changed.lastSeq ? changed : { ...changed, lastSeq };
  });
}

export function changeConversation(
  data: ChatData,
  id: string,
  change: (conversation: ConversationData) => ConversationData,
): ChatData {
  const known = data.conversations.get(id);
  return known === undefined ? data : { ...data, conversations: withEntry(data.conversations, id, change(known)) };
}

/** Changes the pinned messages of a conversation, if they are loaded. */
export function changePins(data: ChatData, id: string, change: (pins: readonly Pin[]) => readonly Pin[]): ChatData {
  const known = data.pins.get(id);
  return known === undefined ? data : { ...data, pins: withEntry(data.pins, id, change(known)) };
}

/**
 * Applies how far this account has read a conversation, on any device. If the counts of the event cannot be completed,
 * the conversation becomes stale, so it is fetched.
 */
export function moveReadPosition(data: ChatData, position: ChatEvents['read-position']): ChatData {
  const { conversation_id: id, read_seq, unread_count, mention_count = 0, last_seq } = position;
  return changeConversation(data, id, (conversation) => {
    const { readSeq, lastSeq, countedSeq } = conversation;
    // The event counts entries up to `last_seq`, and later ones have been counted already.
    const isIncomplete = last_seq < Math.max(lastSeq, countedSeq);
    // A lower position was overtaken by another one or by a fetch, or a message was marked as unread. With the same
    // position, messages may have been deleted since they were counted.
    if (read_seq < readSeq || (read_seq === readSeq && isIncomplete)) return { ...conversation, isStale: true };
    const moved = {
      ...conversation,
      readSeq: read_seq,
      unreadCount: unread_count,
      mentionCount: mention_count,
      countedSeq: Math.max(countedSeq, last_seq),
    };
    if (!isIncomplete) return moved;
    // What was fetched later contains edits and deletions, whose effect on the counts is not known.
    const later = countedSeq > last_seq ? undefined : messagesBetween(data.windows.get(id), last_seq, lastSeq);
    if (later === undefined) return { ...moved, isStale: true };
    const unread = later.filter((message) => isToRead(message, conversation, data.account));
    const mentions = later.filter((message) => countsAsMention(message, data, conversation));
    return {
      ...moved,
      unreadCount: Math.min(unread_count + unread.length, maxUnreadCount),
      mentionCount: Math.min(mention_count + mentions.length, maxUnreadCount),
    };
  });
}

/** Whether a new message of a conversation is unread for an account. */
export function isToRead({ from }: Message, { members }: Conversation, account: string): boolean {
  return from !== account && members.includes(account);
}

/** How many unread messages the page reports: of a muted conversation only mentions. */
export function reportedCount({ unreadCount, mentionCount, muted }: ConversationData): number {
  return muted ? mentionCount : unreadCount;
}

/** Whether a conversation has something to read. An edit may add a mention although all messages are read. */
export function hasUnread({ unreadCount, mentionCount }: ConversationData): boolean {
  return unreadCount + mentionCount > 0;
}

/** Marks the dm with an account as blocked, if there is one. */
export function setDmBlocked(data: ChatData, dmId: string | null): ChatData {
  return dmId === null ? data : changeConversation(data, dmId, (dm) => ({ ...dm, blocked: true }));
}

/** Removes a conversation. If its messages are loaded, they stay readable. */
export function removeConversation(data: ChatData, id: string): ChatData {
  const conversation = data.conversations.get(id);
  const window = data.windows.get(id);
  const isReadable = conversation !== undefined && window !== undefined;
  return {
    ...data,
    conversations: withoutEntry(data.conversations, id),
    windows: withoutEntry(data.windows, id),
    former: isReadable ? withEntry(data.former, id, { conversation, window: lastState(window) }) : data.former,
    pins: withoutEntry(data.pins, id),
    receipts: withoutEntry(data.receipts, id),
    typing: withoutEntry(data.typing, id),
  };
}

/** A window that loads nothing more. */
function lastState(window: MessageWindow): MessageWindow {
  return { ...window, reachesEnd: true, loading: undefined, failure: undefined };
}

/** Lets a conversation be fetched again. */
export function markStale(data: ChatData, id: string): ChatData {
  return changeConversation(data, id, (conversation) => ({ ...conversation, isStale: true }));
}

/** Removes a member. If it was the creator, the conversation is stale: no event names the successor. */
export function removeMember(
  data: ChatData,
  id: string,
  position: StreamPosition | undefined,
  account: string,
): ChatData {
  return changeByEvent(data, id, position, (conversation) => ({
    ...conversation,
    members: conversation.members.filter((member) => member !== account),
    moderators: conversation.moderators.filter((moderator) => moderator !== account),
    isStale: conversation.isStale || conversation.creator === account,
  }));
}
