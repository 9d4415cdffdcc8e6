import { EventEmitter } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { type ChatEvent, type Entry, membershipChangesOf } from '../log/entry';
import { BUS, type Bus } from './bus';
import { Cursor } from './cursor';
import { notification, type Notification } from './notification';

/**
 * An account that joins a conversation is sent the other entries of the transaction as well, unless more accounts than this join: its instance
 * is not subscribed to the conversation yet, and would have to read them.
 */
const maxJoinsWithEntries = 20;

/** Publishes entries and ephemeral events to the other instances, and emits theirs. A topic is a stream. */
@Injectable()
export class Peers extends EventEmitter<{
  entries: [entries: readonly Entry[]];
  ephemeral: [topic: string, event: ChatEvent];
}> {
  private queued = new Map<string, Entry[]>();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly cursor: Cursor,
  ) {
    super();
    bus.on('message', (topic, text) => {
      const received = notification.parse(JSON.parse(text));
      if (received.kind === 'ephemeral') this.emit('ephemeral', topic, received.event);
      // Commits on another timeline of the database may be lost; those that are not are read from the database.
      else if (received.timeline === this.cursor.timeline) this.emit('entries', received.entries);
    });
  }

  subscribe(topic: string) {
    this.bus.subscribe([topic]);
  }

  unsubscribe(topic: string) {
    this.bus.unsubscribe([topic]);
  }

  /** Publishes the entries of one transaction: those of a stream in one turn of the event loop as one notification. */
  publish(entries: readonly Entry[]) {
    for (const entry of entries) this.queue(entry.stream, entry);
    const joining = entries.filter((entry) => membershipChangesOf(entry).subscriptions.length > 0);
    if (joining.length === 0 || joining.length > maxJoinsWithEntries) return;
    const others = entries.filter((entry) => !joining.includes(entry));
    for (const { stream } of joining) for (const entry of others) this.queue(stream, entry);
  }

  publishEphemeral(topic: string, event: ChatEvent) {
    this.send(topic, { kind: 'ephemeral', event });
  }

  /** Drops what is not published yet. */
  clear() {
    this.queued.clear();
  }

  private queue(topic: string, entry: Entry) {
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

  private send(topic: string, message: Notification) {
    this.bus.publish(topic, JSON.stringify(message));
  }
}
