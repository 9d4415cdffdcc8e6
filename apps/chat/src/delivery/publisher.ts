import { type ChatEvent, type Entry, membershipChangesOf } from '../log/entry';
import { type Bus } from './bus';
import { type Notification } from './notification';

/**
 * An account that joins a conversation is sent the other entries of the transaction as well, unless more than so many join: its instance
 * is not subscribed to the conversation yet, and would have to read them.
 */
const maxJoinsWithEntries = 20;

/** Publishes what this instance has committed: the entries of a stream in one turn of the event loop as one notification. */
export class Publisher {
  private queued = new Map<string, Entry[]>();

  constructor(private readonly bus: Bus) {}

  /** Publishes the entries of one transaction at the end of this turn of the event loop. */
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

  private queue(topic: string, entry: Entry) {
    if (this.queued.size === 0) setImmediate(this.flush);
    const queued = this.queued.get(topic);
    if (queued === undefined) this.queued.set(topic, [entry]);
    else queued.push(entry);
  }

  private readonly flush = () => {
    const { queued } = this;
    this.queued = new Map();
    for (const [topic, entries] of queued) this.send(topic, { kind: 'entries', entries });
  };

  private send(topic: string, notification: Notification) {
    this.bus.publish(topic, JSON.stringify(notification));
  }
}
