import { EventEmitter } from 'node:events';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { type ChatEvent, type Entry, type Position } from '../log/entry';
import { LogStore } from '../log/log.store';
import { type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';
import { FanOut } from './fan-out';
import { LateReplies } from './late-replies';
import { Peers } from './peers';
import { OpenStreams, type Deliver } from './streams';
import { Subscriptions } from './subscriptions';

/**
 * Delivers entries to the accounts that are connected to this instance.
 *
 * An account receives an entry of a conversation if and only if it was a member or follower when the entry was committed. When it
 * joins or follows a conversation, its own stream gets an entry with the subscription; every instance to which it is connected is
 * subscribed to that stream. When it leaves, the entry that says so is the last one of the conversation that it receives. Both are
 * delivered once and in order like all entries, so every instance changes its subscriptions in the same way without reading the
 * membership again.
 *
 * A new subscription may begin with entries that other accounts here have received already. `Backfill` reads these from the database,
 * as for a connection that resumes or is slow, and the later entries are delivered live.
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
  /** The streams with subscribers here. */
  readonly streams: OpenStreams;
  private readonly subscriptions: Subscriptions;
  private readonly lateReplies: LateReplies;
  /** Commits of this instance that have begun and whose entries are not delivered yet. */
  private readonly ownCommits = new Set<Promise<unknown>>();
  private readonly failures: ThrottledLog;

  constructor(
    log: LogStore,
    private readonly fanOut: FanOut,
    private readonly peers: Peers,
    @Inject(LOGGER) logger: Logger,
  ) {
    super();
    this.failures = ThrottledLog.errors(logger, 'cannot deliver an entry');
    this.streams = new OpenStreams(peers, log, this.deliver, () => this.ownCommitsDelivered());
    this.subscriptions = new Subscriptions(this.streams, log, {
      onConnected: (account) => this.emit('connected', account),
      onDisconnected: (account) => {
        this.lateReplies.forget(account);
        this.emit('disconnected', account);
      },
      onSubscribed: (account, stream) => {
        this.lateReplies.handToStream(stream, account);
      },
      onMissed: (account, range) => {
        this.fanOut.startBackfill(account, range, this.lateReplies.removeRange(account, range));
      },
      onFailed: (account, error) => {
        this.report(error);
        this.fanOut.close(account);
      },
      onClosed: (stream) => {
        this.lateReplies.replyForClosed(stream);
      },
    });
    this.lateReplies = new LateReplies(this.streams, this.subscriptions, fanOut, this.report);
    peers.on('entries', (entries) => {
      for (const entry of entries) this.accept(entry);
    });
    peers.on('ephemeral', (topic, event) => {
      this.fanOut.broadcast(event, this.subscribersOf(topic));
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
   * Returns the sequence number up to which a conversation is delivered to a connection, or precedes the subscription of its account; 0 if
   * the account is not subscribed.
   */
  deliveredSeq(connection: Connection, conversation: string): number {
    const stream = this.streams.find(conversation);
    const account = connection.authentication?.account;
    if (stream === undefined || account === undefined) return 0;
    const next = stream.nextSeq(account);
    if (next === undefined) return 0;
    const deferredFrom = connection.deferred?.firstOf(conversation);
    if (deferredFrom !== undefined) return deferredFrom - 1;
    return Math.max(next - 1, connection.resumedUpTo(conversation));
  }

  /**
   * Adds a connection of an account. Resolves when every entry that is committed from then on will be delivered to it.
   *
   * @returns the number of subscriptions that were read for it
   */
  connect(account: string): Promise<number> {
    return this.subscriptions.connect(account);
  }

  /** Removes a connection of an account. */
  disconnect(account: string) {
    this.subscriptions.disconnect(account);
  }

  /**
   * Tracks a commit. `OpenStreams.fill` waits for tracked commits, so that it does not deliver an entry before the request that the
   * entry replies to is known.
   *
   * @param work commits, and calls `deliverCommitted`; to be called before it commits
   */
  track<T>(work: Promise<T>): Promise<T> {
    const forget = () => this.ownCommits.delete(settled);
    const settled: Promise<unknown> = work.then(forget, forget);
    this.ownCommits.add(settled);
    return work;
  }

  /** Resolves when the commits of this instance that have begun by now are delivered, or have failed. */
  async ownCommitsDelivered(): Promise<void> {
    await Promise.all(this.ownCommits);
  }

  /** The database is closed after this; what has been accepted is stored before. */
  async beforeApplicationShutdown() {
    // The end of one lets another begin.
    while (this.ownCommits.size > 0) await this.ownCommitsDelivered();
  }

  /**
   * Delivers and publishes the entries of a transaction that this instance has committed.
   *
   * @param origin the request that has caused it, which gets the events for its account as replies
   */
  deliverCommitted(entries: readonly Entry[], origin?: FrameRequest) {
    // First to the clients here, whose frames publishing would delay.
    for (const entry of entries) this.accept(entry, origin);
    this.peers.publish(entries);
  }

  /** Replies with an entry that is stored already. If it has not been delivered to the account yet, the delivery is the reply. */
  repeat(entry: Entry, origin: FrameRequest) {
    origin.repliesHereOnly = true;
    this.accept(entry, origin);
  }

  /**
   * Delivers and publishes an event that is not stored, to the subscribers of a topic: a conversation or an account.
   *
   * @param after the entry of its conversation that it belongs behind, on connections for which the conversation is deferred; by default
   *   the last deferred one
   */
  broadcast(topic: string, event: ChatEvent, origin?: FrameRequest, after?: number) {
    this.fanOut.broadcast(event, this.subscribersOf(topic), origin, after);
    this.peers.publishEphemeral(topic, event);
  }

  /** Whether streams are delivered up to the given positions, as far as they have subscribers here. */
  hasDelivered(positions: readonly Position[]): boolean {
    if (this.subscriptions.isReading) return false;
    return positions.every(({ stream: id, seq }) => {
      const stream = this.streams.find(id);
      return stream === undefined || !stream.hasStarted || stream.hasDelivered(seq);
    });
  }

  /**
   * Closes all connections, and forgets what has been delivered and who is subscribed to what: the database may lack some of it. Emits
   * `restarted`.
   *
   * @returns the number of connections that are closed
   */
  restart(): number {
    const closed = this.fanOut.closeAll();
    this.peers.clear();
    this.lateReplies.clear();
    this.streams.closeAll();
    this.subscriptions.restart();
    this.emit('restarted');
    return closed;
  }

  private accept(entry: Entry, origin?: FrameRequest) {
    const stream = this.streams.find(entry.stream);
    if (origin !== undefined && (stream === undefined || stream.hasDelivered(entry.seq)))
      this.lateReplies.reply(entry, origin);
    if (stream === undefined) return;
    stream.accept(entry, origin === undefined ? [] : [origin]);
    this.streams.checkGap(stream);
  }

  private readonly deliver: Deliver = (entry, stream, requests) => {
    try {
      this.fanOut.deliver(entry, stream, requests);
      // For a subscriber that was the reply to the first request of each connection.
      for (const request of requests) {
        const isFirst = requests.find(({ connection }) => connection === request.connection) === request;
        if (!isFirst || !stream.isSubscribed(request.account, entry.seq)) this.lateReplies.reply(entry, request);
      }
    } catch (error) {
      // Only an entry of another instance can fail. It may have waited for an entry of this instance, whose request must not fail with it.
      this.report(error);
    }
    // A message changes no subscription.
    if ('events' in entry) this.subscriptions.apply(entry, stream);
  };

  private subscribersOf(topic: string): string[] {
    const stream = this.streams.find(topic);
    return stream?.subscribersAt(stream.deliveredSeq + 1) ?? [];
  }

  private readonly report = (error: unknown) => {
    this.failures.log(error);
  };
}
