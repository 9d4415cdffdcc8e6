import { textOf, type ChatEvents, type StreamPosition } from '@waggle/client/browser';
import { type ChatData, type ChatMessage, type ConversationData, maxUnreadCount, type OutgoingText } from './chat-data';
import { changeByEvent, changePins, hasUnread, isToRead } from './conversation-changes';
import { countsAsMention } from './mentioned';
import { withEntry, withoutEntry } from './maps';
import { quoteOf, withEditedMessage, withNewMessage, withoutMessage, withReactions } from './message-window';

/** Adds a message that was stored. The reply to an own message may be applied in addition to its event. */
export function addMessage(data: ChatData, message: ChatMessage): ChatData {
  const { conversation_id: id, from, timestamp } = message;
  const isOwn = from === data.account;
  const window = data.windows.get(id);
  const typing = data.typing.get(id);
  const added: ChatData = {
    ...data,
    windows: window === undefined ? data.windows : withEntry(data.windows, id, withNewMessage(window, message)),
    typing: typing === undefined ? data.typing : withEntry(data.typing, id, withoutEntry(typing, from)),
    outgoing: isOwn ? markStored(data.outgoing, message) : data.outgoing,
  };
  return changeByEvent(added, id, { stream: id, seq: message.seq }, (conversation) => {
    const isNewest = timestamp > (conversation.lastMessage?.timestamp ?? '');
    const changed = { ...conversation, lastMessage: isNewest ? message : conversation.lastMessage };
    if (message.seq <= conversation.countedSeq) return changed;
    return withCounted(changed, message.seq, {
      isUnread: isToRead(message, conversation, data.account),
      // Also of an account that follows the channel, for which no message is unread.
      isMention: countsAsMention(message, data, conversation),
    });
  });
}

/** Counts a message, if it is unread or an unread mention. */
function withCounted(
  conversation: ConversationData,
  seq: number,
  { isUnread, isMention }: { isUnread: boolean; isMention: boolean },
): ConversationData {
  if (!isUnread && !isMention) return conversation;
  const { unreadCount, mentionCount, readSeq } = conversation;
  return {
    ...conversation,
    unreadCount: Math.min(unreadCount + (isUnread ? 1 : 0), maxUnreadCount),
    mentionCount: Math.min(mentionCount + (isMention ? 1 : 0), maxUnreadCount),
    // Everything before the first unread message is read.
    readSeq: unreadCount + mentionCount === 0 ? seq - 1 : readSeq,
  };
}

/** Removes a message. What its conversation shows instead, and whether it was unread, has to be fetched. */
export function deleteMessage(data: ChatData, position: StreamPosition, id: string): ChatData {
  const conversationId = position.stream;
  const window = data.windows.get(conversationId);
  const removed: ChatData = {
    ...changePins(data, conversationId, (pins) => pins.filter((pin) => pin.id !== id)),
    windows: window === undefined ? data.windows : withEntry(data.windows, conversationId, withoutMessage(window, id)),
  };
  return changeByEvent(removed, conversationId, position, (conversation) => ({
    ...conversation,
    isStale: conversation.isStale || conversation.lastMessage?.id === id || hasUnread(conversation),
  }));
}

/**
 * Replaces the text of a message, and in the quotes of it. The event does not say how it changes the count of mentions,
 * so the conversation is fetched again if it may.
 */
export function editMessage(data: ChatData, position: StreamPosition, edit: ChatEvents['message-edited']): ChatData {
  const { conversation_id: conversationId } = edit;
  const window = data.windows.get(conversationId);
  const content = quoteOf(edit.content);
  const edited: ChatData = {
    ...changePins(data, conversationId, (pins) => pins.map((pin) => (pin.id === edit.id ? { ...pin, content } : pin))),
    windows:
      window === undefined ? data.windows : withEntry(data.windows, conversationId, withEditedMessage(window, edit)),
  };
  return changeByEvent(edited, conversationId, position, (conversation) => {
    const { lastMessage, mentionCount } = conversation;
    return {
      ...conversation,
      lastMessage: lastMessage?.id === edit.id ? { ...lastMessage, content: edit.content } : lastMessage,
      isStale: conversation.isStale || mentionCount > 0 || countsAsMention({ ...edit, from: '' }, data, conversation),
    };
  });
}

/** Sets the reactions to a message. */
export function setReactions(
  data: ChatData,
  position: StreamPosition,
  change: ChatEvents['reactions-changed'],
): ChatData {
  const { conversation_id: id } = change;
  const window = data.windows.get(id);
  if (window === undefined) return changeByEvent(data, id, position, (conversation) => conversation);
  const windows = withEntry(data.windows, id, withReactions(window, change, data.account));
  return changeByEvent({ ...data, windows }, id, position, (conversation) => conversation);
}

/**
 * Marks the first outgoing message with the same text and reply as stored, so that it is not shown twice until its own
 * reply comes: if the first reply was lost, the event arrives ahead of the second one.
 */
function markStored(outgoing: readonly OutgoingText[], message: ChatMessage): readonly OutgoingText[] {
  const match = outgoing.find(
    ({ conversationId, text, replyTo, failure, probableMessageId }) =>
      conversationId === message.conversation_id &&
      text === textOf(message) &&
      replyTo === message.reply_to?.id &&
      failure === undefined &&
      probableMessageId === undefined,
  );
  return match === undefined
    ? outgoing
    : outgoing.map((each) => (each === match ? { ...each, probableMessageId: message.id } : each));
}
