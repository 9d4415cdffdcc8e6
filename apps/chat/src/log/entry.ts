import { type RichFields, type ServerFrameType, type ServerPayload, type UnreadMessage } from '@waggle/contracts';
import { toRichFields, type MessageBody } from './message-body';

/** Selects subscribers of a stream: one (`only`), all but one (`except`), or all, by an empty filter. */
interface SubscriberFilter {
  except?: string;
  only?: string;
}

/** An event for clients, and which subscribers of its stream are its recipients: by name, or by a filter. */
export type ChatEvent = {
  [T in ServerFrameType]: {
    type: T;
    payload: ServerPayload<T>;
    to: readonly string[] | SubscriberFilter;
    /** Fields of the payload that only connections with the capability `rich` receive. */
    rich?: RichFields | { mention_count: number } | undefined;
    /** Who made the change and when, if the history of its conversation shows it. The time is in ISO 8601. */
    made?: { by: string; timestamp: string };
  };
}[ServerFrameType];

/** A message in its conversation. */
export interface MessageEntry {
  stream: string;
  seq: number;
  message: MessageBody & {
    id: string;
    sender: string;
    /** The other account of a direct message; null elsewhere. */
    recipient: string | null;
    /** ISO 8601 with milliseconds. */
    sentAt: string;
  };
}

/** A change of a conversation, or of an account: its friendships, its blocks, and what it is subscribed to. */
export interface ChangeEntry {
  stream: string;
  seq: number;
  events: readonly ChatEvent[];
  /** Accounts whose subscription to the conversation begins with this entry. */
  joins: readonly string[];
  /** Accounts that leave with this entry, which is their last one of the conversation. */
  leaves: readonly string[];
  /**
   * In the stream of an account: its subscriptions that begin, because it joins a conversation or follows a channel.
   */
  subscriptions: readonly Subscription[];
}

/** The beginning of an account's subscription to a conversation. */
export interface Subscription {
  conversation: string;
  /** The sequence number of the first entry that the account receives. */
  from: number;
}

/**
 * One durable element of a stream. A stream is a conversation (by its identifier) or an account (by its name); its
 * entries have the sequence numbers 1, 2, 3, … in commit order.
 */
export type Entry = MessageEntry | ChangeEntry;

/** The position of an entry in its stream. */
export type Position = Pick<Entry, 'stream' | 'seq'>;

/** Entries of a stream, both ends included. */
export interface SeqRange {
  stream: string;
  from: number;
  to: number;
}

/** Entries that an account may receive. */
export interface EntryRange extends SeqRange {
  /** Whether the account leaves the stream with the last entry. */
  hasLeft: boolean;
}

const unchanged: Pick<ChangeEntry, 'joins' | 'leaves' | 'subscriptions'> = { joins: [], leaves: [], subscriptions: [] };

/** Returns which subscriptions an entry changes. */
export function subscriptionChangesOf(entry: Entry): Pick<ChangeEntry, 'joins' | 'leaves' | 'subscriptions'> {
  return 'events' in entry ? entry : unchanged;
}

/** Returns the events of an entry in delivery order. */
export function eventsOf(entry: Entry): readonly ChatEvent[] {
  return 'events' in entry ? entry.events : eventsOfMessage(entry);
}

/** Whether the recipients are listed by name. */
export function isByName(to: ChatEvent['to']): to is readonly string[] {
  return 'length' in to;
}

/** Returns whether a subscriber of the stream is a recipient of an event. */
export function isRecipient(to: ChatEvent['to'], account: string): boolean {
  if (isByName(to)) return to.includes(account);
  if (to.only !== undefined && to.only !== account) return false;
  return to.except !== account;
}

function eventsOfMessage({ stream, message }: MessageEntry): ChatEvent[] {
  const payload = { ...toMessage(stream, message), read: false };
  const rich = toRichFields(message);
  if (message.recipient !== null) return [{ type: 'chat-message', payload, rich, to: {} }];
  return [
    { type: 'chat-message', payload, rich, to: { except: message.sender } },
    // In a group or channel a message of one's own is read from the start; in a dm when the recipient acknowledges it.
    { type: 'chat-message', payload: { ...payload, read: true }, rich, to: { only: message.sender } },
  ];
}

/** Returns a message as clients receive it, without its rich fields and whether it is read. */
export function toMessage(conversationId: string, message: MessageEntry['message']): UnreadMessage {
  const { id, sender, recipient, content, sentAt } = message;
  return { id, conversation_id: conversationId, from: sender, to: recipient, content, timestamp: sentAt };
}
