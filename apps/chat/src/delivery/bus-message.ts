import { serverFrames } from '@waggle/contracts';
import { z } from 'zod';
import { type Entry } from '../log/entry';
import { isMessageBody } from '../log/message-body';
import { type EphemeralEvent, isEphemeralType } from './ephemeral-events';

/**
 * What instances publish to each other over the bus. An instance that misses entries reads them from the database;
 * ephemeral events are lost.
 *
 * Only the form that delivery relies on is checked: a client that can write to Redis is trusted with the content.
 */
export const busMessage = z.discriminatedUnion('kind', [
  /** Entries that were committed, and on which timeline of the database. */
  z.object({ kind: z.literal('entries'), entries: z.array(z.custom<Entry>(isEntry)), timeline: z.string() }),
  /** An event that is not stored, for the subscribers of the topic; `after` as for `Delivery.broadcast`. */
  z.object({
    kind: z.literal('ephemeral'),
    event: z.custom<EphemeralEvent>(isEphemeralEvent),
    after: z.int().optional(),
  }),
]);
export type BusMessage = z.infer<typeof busMessage>;

function isEntry(value: unknown): boolean {
  if (!isObject(value) || !isString(value['stream']) || !isSequenceNumber(value['seq'])) return false;
  const isChange = value['events'] !== undefined;
  return isChange ? hasChangeFields(value) : isMessage(value['message']);
}

/** Whether an object has the fields of `ChangeEntry`, besides its position. */
function hasChangeFields({ events, joins, leaves, subscriptions }: Record<string, unknown>): boolean {
  return (
    isArrayOf(events, isEvent) &&
    isArrayOf(joins, isString) &&
    isArrayOf(leaves, isString) &&
    isArrayOf(subscriptions, isSubscription)
  );
}

function isSubscription(value: unknown): boolean {
  return isObject(value) && isString(value['conversation']) && isSequenceNumber(value['from']);
}

function isMessage(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, sender, recipient, sentAt } = value;
  return isMessageBody(value) && [id, sender, sentAt].every(isString) && (recipient === null || isString(recipient));
}

function isEphemeralEvent(value: unknown): boolean {
  return isEvent(value) && isObject(value) && isEphemeralType(value['type']);
}

function isEvent(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['payload'])) return false;
  const { type, to, made } = value;
  if (typeof type !== 'string' || !Object.hasOwn(serverFrames, type)) return false;
  if (made !== undefined && !isAuthorship(made)) return false;
  return isArrayOf(to, isString) || isSubscriberFilter(to);
}

/** Whether a value says who made a change and when (`ChatEvent.made`). */
function isAuthorship(value: unknown): boolean {
  return isObject(value) && isString(value['by']) && isString(value['timestamp']);
}

/** Rejects an object with a `length`, which `isByName` takes for a list of names. */
function isSubscriberFilter(value: unknown): boolean {
  if (!isObject(value) || 'length' in value) return false;
  const { except, only } = value;
  return [except, only].every((account) => account === undefined || isString(account));
}

function isArrayOf(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isElement);
}

function isSequenceNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
