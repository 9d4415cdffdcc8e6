import { EventEmitter } from 'node:events';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { eventsOf, isRecipient, type Entry, type Position } from '../log/entry';
import { LogStore } from '../log/log.store';
import { type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';
import { CatchUp } from './catch-up';
import { type EphemeralEvent } from './ephemeral-events';
import { FanOut } from './fan-out';
import { Peers } from './peers';
import { Replies } from './replies';
import { OpenStreams, type Stream } from './streams';
import { Subscriptions } from './subscriptions';

/**
 * Delivers entries to the accounts that are connected to this instance.
 *
 * An account receives an entry of a conversation if and only if it was a member or follower when the entry was
 * committed. When it joins or follows a conversation, its own stream gets an entry with the subscription; every
 * instance to which it is connected is subscribed to that stream. When it leaves, the entry that says so is the last
 * one of the conversation that it receives. Both are delivered once and in order like all entries, so every instance
 * changes its subscriptions in the same way without reading the membership again.
 *
 * Connections that are not live get entries from `CatchUp`.
 */
@Injectable()
export class Delivery
  extends EventEmitter<{
    connected: [account: string];
    disconnected: [account: string];
    restarted: [];
  }>
  implements BeforeApplicationShutdown
{
  private readonly subscriptions: Subscriptions;
  private readonly failures: ThrottledLog;

  constructor(
    log: LogStore,
    /** The streams with subscribers here. */
    readonly streams: OpenStreams,
    private readonly fanOut: FanOut,
    private readonly catchUp: CatchUp,
    private readonly replies: Replies,
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
    catchUp.on('caughtUp', (connection) => {
      this.replyToAllOf(connection);
    });
    peers.on('entries', (entries) => {
      for (const entry of entries) this.accept(entry);
    });
    peers.on('ephemeral', (topic, event) => {
      fanOut.broadcast(event, this.subscribersOf(topic));
    });
  }

  connectedAccounts(): string[] {
    return this.subscriptions.accountNames();
  }

  /** Whether a connected account receives the entries of a conversation now. */
  isSubscribed(account: string, conversation: string): boolean {
    const stream = this.streams.find(conversation);
    return stream?.isSubscribed(account, stream.deliveredSeq + 1) === true;
  }

  /**
   * Returns the sequence number up to which a conversation is delivered to a connection, or precedes the subscription
   * of its account; 0 if the account is not subscribed.
   */
  deliveredSeq(connection: Connection, conversation: string): number {
    const account = connection.authentication?.account;
    const next = account === undefined ? undefined : this.streams.find(conversation)?.nextSeq(account);
    if (next === undefined) return 0;
    return (this.catchUp.of(connection)?.streams.get(conversation) ?? next) - 1;
  }

  /**
   * Adds a connection of an account. Resolves when every entry that is committed from then on will be delivered to it.
   *
   * @returns the number of subscriptions that were read for it
   */
  connect(account: string): Promise<number> {
    return this.subscriptions.connect(account);
  }

  /** Removes a connection of an account. @param connection if it is closed: nothing is delivered to it any more */
  disconnect(account: string, connection?: Connection): void {
    if (connection !== undefined) this.replyToAllOf(connection);
    this.subscriptions.disconnect(account);
  }

  /** Tracks a commit, as `OpenStreams.track`. */
  track<T>(work: Promise<T>): Promise<T> {
    return this.streams.track(work);
  }

  /** The database is closed after this; what has been accepted is stored before. */
  async beforeApplicationShutdown(): Promise<void> {
    // The end of one lets another begin.
    while (this.streams.hasOwnCommits) await this.streams.ownCommitsDelivered();
  }

  /**
   * Delivers and publishes the entries of a transaction that this instance has committed.
   *
   * @param origins the requests that have caused it, which get the events for their accounts as replies
   */
  deliverCommitted(entries: readonly Entry[], origins: readonly FrameRequest[] = []): void {
    // First to the clients here, whose frames publishing would delay.
    for (const entry of entries) this.accept(entry, origins);
    this.peers.publish(entries);
  }

  /**
   * Replies with an entry that is stored already. If it has not been delivered to the connection yet, the delivery is
   * the reply.
   */
  replyWithStored(entry: Entry, origin: FrameRequest): void {
    origin.repliesHereOnly = true;
    this.accept(entry, [origin]);
  }

  /**
   * Delivers and publishes an event that is not stored, to the subscribers of a topic: a conversation or an account.
   *
   * @param after the entry of its conversation that connections receive before it; by default it waits for none
   */
  broadcast(topic: string, event: EphemeralEvent, origin?: FrameRequest, after?: number): void {
    this.fanOut.broadcast(event, this.subscribersOf(topic), origin, after);
    this.peers.publishEphemeral(topic, event);
  }

  /**
   * Closes all connections, and forgets what has been delivered and who is subscribed to what: the database may lack
   * some of it. Emits `restarted`.
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

  private accept(entry: Entry, origins: readonly FrameRequest[] = []): void {
    const answered = origins.filter(({ account }) => this.subscriptions.has(account) && hasEventFor(entry, account));
    for (const origin of answered) this.replies.add(entry, origin);
    const stream = this.streams.find(entry.stream);
    if (stream !== undefined) {
      stream.accept(entry);
      this.streams.checkBehind(stream);
    }
    for (const origin of answered) this.replyUnlessDelivered(entry, origin);
  }

  private deliver(entry: Entry, stream: Stream): void {
    try {
      this.fanOut.deliver(entry, stream);
      for (const request of this.replies.of(entry)) this.replyUnlessDelivered(entry, request);
    } catch (error) {
      // Only an entry of another instance can fail. It may have waited for an entry of this instance, whose request
      // must not fail with it.
      this.failures.log(error);
    }
    // A message changes no subscription.
    if ('events' in entry) this.subscriptions.apply(entry, stream);
  }

  /** Replies to the requests of a connection whose entries will not be delivered to it. */
  private replyToAllOf(connection: Connection): void {
    for (const { entry, request } of this.replies.ofConnection(connection)) this.replyUnlessDelivered(entry, request);
  }

  /**
   * Replies to a request with an entry that will not be delivered to its connection: it was, or the account is not
   * subscribed.
   */
  private replyUnlessDelivered(entry: Entry, request: FrameRequest): void {
    if (!this.replies.of(entry).includes(request) || this.awaitsDelivery(entry, request)) return;
    if (this.isSubscribedAt(request.account, entry)) {
      this.replies.take(entry, (each) => each === request);
      this.fanOut.reply(entry, request);
      return;
    }
    this.replyToNonSubscriber(entry, request).catch((error: unknown) => {
      this.failures.log(error);
      // A client that connects again repeats what it has no reply to.
      if (this.replies.take(entry, (each) => each === request).length > 0) this.fanOut.close(request.account);
    });
  }

  /**
   * The account may have joined at another instance. Then its own stream has the subscription, and the delivery is the
   * reply.
   */
  private async replyToNonSubscriber(entry: Entry, request: FrameRequest): Promise<void> {
    await this.streams.readToEnd(request.account);
    if (this.awaitsDelivery(entry, request)) return;
    if (this.replies.take(entry, (each) => each === request).length === 0) return;
    // If it is subscribed now, its other connections caught up.
    if (this.isSubscribedAt(request.account, entry)) this.fanOut.reply(entry, request);
    else this.fanOut.replyToAll(entry, request);
  }

  private awaitsDelivery(entry: Entry, { account, connection, repliesHereOnly }: FrameRequest): boolean {
    // A connection that resumes may have the entry, so the reply to a repetition does not wait for it.
    if (repliesHereOnly && this.catchUp.of(connection)?.isResuming === true) return false;
    if (connection.isOpen && this.catchUp.isBehind(connection, entry)) return true;
    return this.isSubscribedAt(account, entry) && this.streams.find(entry.stream)?.hasDelivered(entry.seq) === false;
  }

  private isSubscribedAt(account: string, { stream, seq }: Position): boolean {
    return this.streams.find(stream)?.isSubscribed(account, seq) === true;
  }

  private subscribersOf(topic: string): string[] {
    const stream = this.streams.find(topic);
    return stream?.subscribersAt(stream.deliveredSeq + 1).filter((account) => stream.isConfirmed(account)) ?? [];
  }
}

/** Whether the reply to an account is an event of an entry. */
function hasEventFor(entry: Entry, account: string): boolean {
  return 'message' in entry || eventsOf(entry).some(({ to }) => isRecipient(to, account));
}
