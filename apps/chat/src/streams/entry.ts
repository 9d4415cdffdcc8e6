import { type Message, type ServerFrameType, type ServerPayload } from '@waggle/contracts';
import { z } from 'zod';

/** Whoever hears the stream when it happens, and one account besides, though it may not be among them. */
export interface Hearers {
  except?: string;
  also?: string;
}

/** What is told, and to whom: accounts by name, or whoever hears the stream. */
export type ChatEvent = {
  [T in ServerFrameType]: { type: T; payload: ServerPayload<T>; to: readonly string[] | Hearers };
}[ServerFrameType];

/** A message at its place. */
export interface MessageEntry {
  stream: string;
  seq: number;
  message: {
    id: string;
    sender: string;
    /** The other account of a dm; null elsewhere. */
    recipient: string | null;
    content: string;
    /** ISO 8601 with milliseconds. */
    sentAt: string;
  };
}

/** A change at its place: what is told of it, and who hears the stream from here on or no longer. */
export interface ChangeEntry {
  stream: string;
  seq: number;
  told: readonly ChatEvent[];
  joins: readonly string[];
  leaves: readonly string[];
}

/**
 * One durable thing in a stream. A stream is a conversation (its identifier) or an account (its name: friendships and
 * blocks); its entries have the places 1, 2, 3, … in the order in which they were committed.
 */
export type Entry = MessageEntry | ChangeEntry;

/** Entries as other instances send them. They are ours, so only their form is looked at. */
export const entries = z.array(
  z.custom<Entry>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      'stream' in value &&
      'seq' in value &&
      ('message' in value || 'told' in value),
  ),
);

/** What is told of an entry, in this order. */
export function eventsOf(entry: Entry): readonly ChatEvent[] {
  return 'told' in entry ? entry.told : eventsOfMessage(entry);
}

/** Whether an account that hears the stream is told. */
export function isToldTo(to: ChatEvent['to'], account: string): boolean {
  return 'length' in to ? to.includes(account) : to.except !== account;
}

function eventsOfMessage({ stream, message }: MessageEntry): ChatEvent[] {
  const payload = toPayload(stream, message);
  if (message.recipient !== null) return [{ type: 'chat-message', payload, to: {} }];
  return [
    { type: 'chat-message', payload, to: { except: message.sender } },
    // Outside a dm one's own message is read from the start; in a dm it is when the other side says so.
    { type: 'chat-message', payload: { ...payload, read: true }, to: [message.sender] },
  ];
}

function toPayload(stream: string, { id, sender, recipient, content, sentAt }: MessageEntry['message']): Message {
  return { id, conversation_id: stream, from: sender, to: recipient, content, timestamp: sentAt, read: false };
}
