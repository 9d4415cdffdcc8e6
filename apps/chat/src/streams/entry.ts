import { type Message, serverFrames, type ServerFrameType, type ServerPayload } from '@waggle/contracts';
import { z } from 'zod';

/** Whoever hears the stream when it happens, and one account besides, though it may not be among them. */
export interface Hearers {
  except?: string;
  also?: string;
  /** This one alone, where it is among them. */
  only?: string;
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

/**
 * Entries as other instances send them. What they say is believed; their form is looked at, since whoever has Redis may write there:
 * what cannot be told must not be held until something else fails over it.
 */
export const entries = z.array(z.custom<Entry>(isEntry));

/** An event as other instances send it. */
export const chatEvent = z.custom<ChatEvent>(isEvent);

function isEntry(value: unknown): boolean {
  if (!isObject(value) || !isText(value['stream']) || !Number.isSafeInteger(value['seq']) || Number(value['seq']) < 1)
    return false;
  const { message, told, joins, leaves } = value;
  if (told === undefined) return isMessage(message);
  return Array.isArray(told) && told.every(isEvent) && areTexts(joins) && areTexts(leaves);
}

function isMessage(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, sender, recipient, content, sentAt } = value;
  return areTexts([id, sender, content, sentAt]) && (recipient === null || isText(recipient));
}

function isEvent(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['payload'])) return false;
  const { type, to } = value;
  if (typeof type !== 'string' || !Object.hasOwn(serverFrames, type)) return false;
  return areTexts(to) || isHearers(to);
}

/** A `length` would make it a list of accounts to whoever tells of it. */
function isHearers(value: unknown): boolean {
  if (!isObject(value) || 'length' in value) return false;
  return [value['except'], value['also'], value['only']].every((one) => one === undefined || isText(one));
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const noMoves: Pick<ChangeEntry, 'joins' | 'leaves'> = { joins: [], leaves: [] };

/** Who hears the stream from an entry on, and who no longer. */
export function movesIn(entry: Entry): Pick<ChangeEntry, 'joins' | 'leaves'> {
  return 'told' in entry ? entry : noMoves;
}

/** What is told of an entry, in this order. */
export function eventsOf(entry: Entry): readonly ChatEvent[] {
  return 'told' in entry ? entry.told : eventsOfMessage(entry);
}

/** Whether an account is delivered an event: as a subscriber of the stream, or because the event names it. */
export function isFor(to: ChatEvent['to'], account: string, isSubscribed: boolean): boolean {
  if ('length' in to) return to.includes(account);
  return (isSubscribed && isToldTo(to, account)) || (to.also === account && to.except !== account);
}

/** Whether an account that hears the stream is told. */
export function isToldTo(to: ChatEvent['to'], account: string): boolean {
  return 'length' in to ? to.includes(account) : to.except !== account && (to.only ?? account) === account;
}

function eventsOfMessage({ stream, message }: MessageEntry): ChatEvent[] {
  const payload = toPayload(stream, message);
  if (message.recipient !== null) return [{ type: 'chat-message', payload, to: {} }];
  return [
    { type: 'chat-message', payload, to: { except: message.sender } },
    // Outside a dm one's own message is read from the start; in a dm it is when the other side says so.
    { type: 'chat-message', payload: { ...payload, read: true }, to: { only: message.sender } },
  ];
}

function toPayload(stream: string, { id, sender, recipient, content, sentAt }: MessageEntry['message']): Message {
  return { id, conversation_id: stream, from: sender, to: recipient, content, timestamp: sentAt, read: false };
}
