import { EventEmitter } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { serverFrames } from '@waggle/contracts';
import { z } from 'zod';
import { type Entry, subscriptionChangesOf } from '../log/entry';
import { isMessageBody } from '../log/message-body';
import { BUS, type Bus } from './bus/bus';
import { Cursor } from './cursor';
import { type EphemeralEvent, isEphemeralType } from './ephemeral-events';

/**
 * Maximum number of accounts on whose topics the entries of a transaction are published in addition. The instances of
 * accounts that the transaction subscribes to a conversation may not be subscribed to it yet. Beyond this number, these
 * instances read the entries from the database.
 */
const maxExtraTopics = 20;

/**
 * What instances publish to each other over the bus. An instance that misses entries reads them from the database;
 * ephemeral events are lost.
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
type BusMessage = z.infer<typeof busMessage>;

/**
 * Publishes entries and ephemeral events to the other instances, and emits theirs. A topic is the id of a stream: of a
 * conversation or an account. `Delivery` publishes and listens; `OpenStreams` subscribes.
 */
@Injectable()
export class Peers extends EventEmitter<{
  entries: [entries: readonly Entry[]];
  ephemeral: [topic: string, event: EphemeralEvent, after: number | undefined];
}> {
  private queued = new Map<string, Entry[]>();

  /** @param bus undefined if there are no other instances */
  constructor(
    @Inject(BUS) private readonly bus: Bus | undefined,
    private readonly cursor: Cursor,
  ) {
    super();
    bus?.on('message', (topic, text) => {
      const received = busMessage.parse(JSON.parse(text));
      if (received.kind === 'ephemeral') this.emit('ephemeral', topic, received.event, received.after);
      // Entries of another timeline are ignored: a failover may have lost them. Those that survived are read from the
      // database.
      else if (received.timeline === this.cursor.timeline) this.emit('entries', received.entries);
    });
  }

  subscribe(topic: string): void {
    this.bus?.subscribe([topic]);
  }

  unsubscribe(topic: string): void {
    this.bus?.unsubscribe([topic]);
  }

  /**
   * Publishes the entries of one transaction. Entries for the same topic that are queued in one turn of the event loop
   * are sent as one message.
   */
  publish(entries: readonly Entry[]): void {
    if (this.bus === undefined) return;
    for (const entry of entries) this.queue(entry.stream, entry);
    const joinEntries = entries.filter((entry) => subscriptionChangesOf(entry).subscriptions.length > 0);
    if (joinEntries.length === 0 || joinEntries.length > maxExtraTopics) return;
    const others = entries.filter((entry) => !joinEntries.includes(entry));
    for (const { stream } of joinEntries) for (const entry of others) this.queue(stream, entry);
  }

  publishEphemeral(topic: string, event: EphemeralEvent, after?: number): void {
    this.send(topic, { kind: 'ephemeral', event, after });
  }

  /** Drops what is not published yet. */
  clear(): void {
    this.queued.clear();
  }

  private queue(topic: string, entry: Entry): void {
    if (this.queued.size === 0) setImmediate(this.flush);
    const queued = this.queued.get(topic);
    if (queued === undefined) this.queued.set(topic, [entry]);
    else queued.push(entry);
  }

  private readonly flush = () => {
    const { queued } = this;
    this.queued = new Map();
    const { timeline } = this.cursor;
    for (const [topic, entries] of queued) this.send(topic, { kind: 'entries', entries, timeline });
  };

  private send(topic: string, outgoing: BusMessage): void {
    // Without a bus, nothing is stringified.
    this.bus?.publish(topic, JSON.stringify(outgoing));
  }
}

/*
 * Validation of what other instances publish. Only the form that delivery relies on is checked: anybody who can write
 * to Redis is trusted with the content.
 */

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
  return isMessageBody(value) && [id, sender, sentAt].every(isText) && (recipient === null || isText(recipient));
}

function isEvent(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['payload'])) return false;
  const { type, to, made } = value;
  if (typeof type !== 'string' || !Object.hasOwn(serverFrames, type)) return false;
  if (made !== undefined && !isChangeMade(made)) return false;
  return isArrayOf(to, isText) || isSubscriberFilter(to);
}

function isChangeMade(value: unknown): boolean {
  return isObject(value) && isText(value['by']) && isText(value['timestamp']);
}

function isEphemeralEvent(value: unknown): boolean {
  return isEvent(value) && isObject(value) && isEphemeralType(value['type']);
}

/** An object with a `length` is rejected: `isByName` takes it for a list of names. */
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
