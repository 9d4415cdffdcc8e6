import { serverFrames } from '@waggle/contracts';
import { z } from 'zod';
import { type ChatEvent, type Entry } from '../log/entry';
import { hasBody } from '../log/message-body';

/*
 * Validation of entries and events that other instances publish. It checks the form only, which is enough to deliver them: anybody who
 * can write to Redis is trusted with the content.
 */

const entries = z.array(z.custom<Entry>(isEntry));
const chatEvent = z.custom<ChatEvent>(isEvent);

/** What instances publish to each other over the bus. An instance that misses one reads the database. */
export const notification = z.discriminatedUnion('kind', [
  /** Entries that were committed, and on which timeline of the database. */
  z.object({ kind: z.literal('entries'), entries, timeline: z.string() }),
  /** An event that is not stored, for the subscribers of the topic. */
  z.object({ kind: z.literal('ephemeral'), event: chatEvent }),
]);
export type Notification = z.infer<typeof notification>;

function isEntry(value: unknown): boolean {
  if (!isObject(value) || !isText(value['stream']) || !isSeq(value['seq'])) return false;
  const { message, events, joins, leaves, subscriptions } = value;
  if (events === undefined) return isMessage(message);
  return (
    isArrayOf(events, isEvent) &&
    isArrayOf(joins, isText) &&
    isArrayOf(leaves, isText) &&
    isArrayOf(subscriptions, isSubscription)
  );
}

function isSubscription(value: unknown): boolean {
  return isObject(value) && isText(value['conversation']) && isSeq(value['from']);
}

function isMessage(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, sender, recipient, sentAt } = value;
  return hasBody(value) && [id, sender, sentAt].every(isText) && (recipient === null || isText(recipient));
}

function isEvent(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['payload'])) return false;
  const { type, to } = value;
  if (typeof type !== 'string' || !Object.hasOwn(serverFrames, type)) return false;
  return isArrayOf(to, isText) || isSubscriberFilter(to);
}

/** A `length` would make it a list of names for `isByName`. */
function isSubscriberFilter(value: unknown): boolean {
  if (!isObject(value) || 'length' in value) return false;
  return [value['except'], value['only']].every((each) => each === undefined || isText(each));
}

function isArrayOf(value: unknown, is: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isSeq(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
