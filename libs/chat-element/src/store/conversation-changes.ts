import type { Conversation, ExtendedConversation, StreamPosition } from '@waggle/client/browser';
import type { ChatData, ConversationData } from './chat-data';
import { withEntry, withoutEntry } from './maps';

/** A conversation as it was fetched. */
export function fetchedConversation(
  { last_seq, unread_count, last_message, ...conversation }: ExtendedConversation,
  known?: ConversationData,
): ConversationData {
  return {
    ...conversation,
    fetchedSeq: last_seq,
    lastSeq: known?.lastSeq ?? last_seq,
    unreadCount: unread_count,
    lastMessage: last_message ?? undefined,
    readSeq: known?.readSeq ?? -1,
    isStale: false,
  };
}

/** Adds a conversation. What it held before this account saw it is not part of the event, so it has to be fetched. */
export function createdConversation(data: ChatData, conversation: Conversation): ChatData {
  const added: ConversationData = {
    unreadCount: 0,
    lastMessage: undefined,
    readSeq: -1,
    fetchedSeq: -1,
    lastSeq: -1,
    ...data.conversations.get(conversation.id),
    ...conversation,
    isStale: true,
  };
  return { ...data, conversations: withEntry(data.conversations, conversation.id, added) };
}

/** Changes a conversation by an event, unless the event was contained in what was fetched. */
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

/** Marks the dm with an account as blocked, if there is one. */
export function setDmBlocked(data: ChatData, dmId: string | null): ChatData {
  return dmId === null ? data : changeConversation(data, dmId, (dm) => ({ ...dm, blocked: true }));
}

export function removeConversation(data: ChatData, id: string): ChatData {
  return {
    ...data,
    conversations: withoutEntry(data.conversations, id),
    windows: withoutEntry(data.windows, id),
    typing: withoutEntry(data.typing, id),
  };
}

export function markStale(data: ChatData, id: string): ChatData {
  return changeConversation(data, id, (conversation) => ({ ...conversation, isStale: true }));
}

/** Removes a member. If it was the creator, no event names the successor, so the conversation has to be fetched. */
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
