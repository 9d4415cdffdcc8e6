import { type Message } from '@waggle/contracts';
import { type ChatEvent } from '../realtime/events';
import { type Appended, type NewMessage } from './append-messages';

/** A message that is durable, and what is to be told of it. */
export type StoredMessage = NewMessage & Extract<Appended, { outcome: 'appended' }>;

/** What is told of a message, and to whom; ahead of it, that somebody joins a channel by it or finds a dm again. */
export function eventsOf(message: StoredMessage): ChatEvent[] {
  return [...arrivalOf(message), ...chatMessageOf(message)];
}

function arrivalOf({ sender, conversationId, members, arrival }: StoredMessage): ChatEvent[] {
  if (arrival === undefined) return [];
  const { conversation, accounts, joined } = arrival;
  const created: ChatEvent = { type: 'conversation-created', payload: conversation, to: accounts };
  if (!joined) return [created];
  const payload = { conversation_id: conversationId, username: sender };
  return [created, { type: 'member-added', payload, to: { conversationId, accounts: members } }];
}

function chatMessageOf(message: StoredMessage): ChatEvent[] {
  const { sender, conversationId, members, recipient } = message;
  const payload = toPayload(message);
  if (recipient !== null) return [{ type: 'chat-message', payload, to: members }];
  return [
    { type: 'chat-message', payload, to: { conversationId, accounts: members, except: sender } },
    // Outside a dm one's own message is read from the start; in a dm it is when the other side says so.
    { type: 'chat-message', payload: { ...payload, read: true }, to: [sender] },
  ];
}

function toPayload(message: StoredMessage): Message {
  return {
    id: message.id,
    conversation_id: message.conversationId,
    from: message.sender,
    to: message.recipient,
    content: message.content,
    timestamp: message.sentAt.toISOString(),
    read: false,
  };
}
