import { EventEmitter } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { type Entry, subscriptionChangesOf } from '../log/entry';
import { BUS, type Bus } from './bus/bus';
import { busMessage, type BusMessage } from './bus-message';
import { Cursor } from './cursor';
import { type EphemeralEvent } from './ephemeral-events';

/**
 * Maximum number of accounts that a transaction may subscribe to a conversation if its entries are to be published on
 * the topics of these accounts too. Beyond it, instances that are not subscribed to the conversation yet read the
 * entries from the database.
 */
const maxJoiningAccounts = 20;

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
    // An account that joins gets an entry in its own stream, whose topic its instances are subscribed to already.
    const joinEntries = entries.filter((entry) => subscriptionChangesOf(entry).subscriptions.length > 0);
    if (joinEntries.length === 0 || joinEntries.length > maxJoiningAccounts) return;
    const otherEntries = entries.filter((entry) => !joinEntries.includes(entry));
    for (const { stream: account } of joinEntries) for (const entry of otherEntries) this.queue(account, entry);
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
    // Without a bus, `?.` skips the stringification too.
    this.bus?.publish(topic, JSON.stringify(outgoing));
  }
}
