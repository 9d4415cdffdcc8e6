import { EventEmitter } from 'node:events';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { eventsOf, isRecipient, type Entry } from '../log/entry';
import { LogStore } from '../log/log.store';
import { type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';
import { CatchUp } from './catch-up';
import { type EphemeralEvent } from './ephemeral-events';
import { FanOut } from './fan-out';
import { Peers } from './peers';
import { type PendingReply } from './pending-replies';
import { RequestReplies } from './request-replies';
import { OpenStreams } from './open-streams';
import { type Stream } from './stream';
import { Subscriptions } from './subscriptions';

interface DeliveryEvents {
  /** The first connection of an account begins to connect to this instance. */
  connected: [account: string];
  /** The last connection of an account to this instance has ended. */
  disconnected: [account: string];
  /** `restart` has closed all connections. What was cached about the database may be wrong. */
  restarted: [];
}

/**
 * Delivers entries to the accounts that are connected to this instance.
 *
 * An account receives an entry of a conversation if and only if it was a member or follower when the entry was
 * committed. When it joins or follows a conversation, its own stream gets an entry with the subscription; every
 * instance that it is connected to is subscribed to that stream. When it leaves, the entry that says so is the last
 * one of the conversation that it receives. Both are delivered once and in order like all entries, so every instance
 * changes its subscriptions in the same way without reading the membership again.
 *
 * Connections that are not live get entries from `CatchUp`, and requests whose entry is not delivered to their
 * connection get it from `RequestReplies`.
 */
@Injectable()
export class Delivery extends EventEmitter<DeliveryEvents> implements BeforeApplicationShutdown {
  private readonly subscriptions: Subscriptions;
  private readonly failures: ThrottledLog;

  constructor(
    log: LogStore,
    /** The streams with subscribers here. */
    readonly streams: OpenStreams,
    private readonly fanOut: FanOut,
    private readonly catchUp: CatchUp,
    private readonly replies: RequestReplies,
    private readonly peers: Peers,
    @Inject(LOGGER) logger: Logger,
  ) {
    super();
    this.failures = ThrottledLog.errors(logger, 'cannot deliver an entry');
    this.subscriptions = new Subscriptions(streams, log, {
      onConnected: (account) => this.emit('connected', account),
      onDisconnected: (account) => {
        replies.forget(account);
        this.emit('disconnected', account);
      },
      onLate: (account, from) => {
        fanOut.fallBehind(account, from);
      },
      onFailed: (account, error) => {
        this.failures.log(error);
        fanOut.close(account);
      },
    });
    streams.on('entry', (entry, stream) => {
      this.deliver(entry, stream);
    });
    peers.on('entries', (entries) => {
      for (const entry of entries) this.accept(entry);
    });
    peers.on('ephemeral', (topic, event, after) => {
      fanOut.broadcast(event, this.subscribersOf(topic), undefined, after);
    });
  }

  connectedAccounts(): string[] {
    return this.subscriptions.accountNames();
  }

  /**
   * Whether a connected account is subscribed to a conversation, as far as is known here: while its subscription is not
   * confirmed, it may have left.
   */
  isSubscribed(account: string, conversation: string): boolean {
    const stream = this.streams.find(conversation);
    return stream?.subscribers.receives(account, stream.deliveredSeq + 1) === true;
  }

  /**
   * Returns the sequence number before the next entry of a conversation that a connection is to receive: all earlier
   * ones were delivered to it, or precede the subscription of its account. It is 0 if the account is not subscribed.
   */
  receivedSeq(connection: Connection, conversation: string): number {
    const account = connection.authentication?.account;
    const next = account === undefined ? undefined : this.streams.find(conversation)?.nextSeq(account);
    if (next === undefined) return 0;
    return (this.catchUp.findBehind(connection)?.streams.get(conversation) ?? next) - 1;
  }

  /**
   * Adds a connection to an account. Resolves when every entry that is committed from then on will be delivered to it.
   *
   * @returns the number of subscriptions that were read from the database: 0 unless it is the first connection
   */
  connect(account: string): Promise<number> {
    return this.subscriptions.connect(account);
  }

  /**
   * Removes a connection from an account.
   *
   * @param closed the connection, unless it goes on with another account: the replies that it awaits are settled
   */
  disconnect(account: string, closed?: Connection): void {
    if (closed !== undefined) this.replies.replyOn(closed);
    this.subscriptions.disconnect(account);
  }

  /** Tracks a commit, as `OpenStreams.track`. */
  track<T>(work: Promise<T>): Promise<T> {
    return this.streams.track(work);
  }

  /**
   * Waits for the commits of this instance, since the database is closed next. Connections and timers have ended, so
   * only running commits can start others, and the waiting ends.
   */
  async beforeApplicationShutdown(): Promise<void> {
    while (this.streams.hasOwnCommits) await this.streams.ownCommitsDelivered();
  }

  /**
   * Delivers and publishes the entries of a transaction that this instance has committed.
   *
   * @param origins the requests that caused the entries: the reply to each is the events for its account
   */
  deliverCommitted(entries: readonly Entry[], origins: readonly FrameRequest[] = []): void {
    // Clients of this instance come first, because publishing takes time.
    for (const entry of entries) {
      const replies = origins.map((request) => ({ entry, request, isRepeated: false }));
      this.accept(entry, replies);
    }
    this.peers.publish(entries);
  }

  /**
   * Replies to a request that repeats the one that caused an entry. If the entry has not been delivered to its
   * connection yet, the delivery is the reply.
   */
  replyWithStored(entry: Entry, repetition: FrameRequest): void {
    this.accept(entry, [{ entry, request: repetition, isRepeated: true }]);
  }

  /**
   * Delivers an event that is not stored, and publishes it to the instances that are subscribed to a topic.
   *
   * @param topic a conversation, or an account: its subscribers are the recipients unless the event names them
   * @param after a sequence number of the event's conversation. At each instance, a connection that is behind receives
   * the event after this entry; a live one receives it at once
   */
  broadcast(topic: string, event: EphemeralEvent, origin?: FrameRequest, after?: number): void {
    this.fanOut.broadcast(event, this.subscribersOf(topic), origin, after);
    this.peers.publishEphemeral(topic, event, after);
  }

  /**
   * Closes all connections, and forgets what was delivered and who is subscribed to what, because the database may have
   * lost commits. Emits `restarted`.
   *
   * @returns the number of connections that are closed
   */
  restart(): number {
    const closed = this.fanOut.closeAll();
    this.peers.clear();
    this.replies.clear();
    this.streams.closeAll();
    this.subscriptions.restart();
    this.emit('restarted');
    return closed;
  }

  /** Delivers an entry in its turn, and replies at once to requests whose connection it will not be delivered to. */
  private accept(entry: Entry, requested: readonly PendingReply[] = []): void {
    const replies = requested.filter(
      ({ request: { account } }) => this.subscriptions.has(account) && isAnyRecipient(entry, account),
    );
    for (const reply of replies) this.replies.expect(reply);
    const stream = this.streams.find(entry.stream);
    if (stream !== undefined) {
      stream.accept(entry);
      this.streams.checkBehind(stream);
    }
    for (const reply of replies) this.replies.replyUnlessAwaited(reply);
  }

  /** Delivers the next entry of a stream. */
  private deliver(entry: Entry, stream: Stream): void {
    try {
      this.fanOut.deliver(entry, stream);
    } catch (error) {
      // Another instance has published something that cannot be serialized. The subscribers get the entry of the
      // database instead.
      this.failures.log(error);
      for (const account of stream.subscribers.at(entry.seq)) this.fanOut.fallBehind(account, entry);
    }
    this.replies.replyWith(entry);
    // A message changes no subscription.
    if ('events' in entry) this.subscriptions.apply(entry, stream);
  }

  /** Returns the accounts that receive the next entry of a stream live. */
  private subscribersOf(topic: string): string[] {
    const stream = this.streams.find(topic);
    return (
      stream?.subscribers.at(stream.deliveredSeq + 1).filter((account) => stream.subscribers.isConfirmed(account)) ?? []
    );
  }
}

/** Whether an account is a recipient of an event of an entry. A message has one for every account. */
function isAnyRecipient(entry: Entry, account: string): boolean {
  return 'message' in entry || eventsOf(entry).some(({ to }) => isRecipient(to, account));
}
