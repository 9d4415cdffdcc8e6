import { EventEmitter } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, RepeatedLine } from '@waggle/service';
import {
  eventsOf,
  isRecipient,
  membershipChangesOf,
  type ChatEvent,
  type Entry,
  type Subscription,
} from '../log/entry';
import { LogStore, type Position } from '../log/log.store';
import { ChatError } from '../errors';
import { type FrameRequest } from '../realtime/frame-request';
import { FanOut } from './fan-out';
import { OpenStreams } from './open-streams';
import { Peers } from './peers';
import { type Deliver, type Stream } from './stream';
import { UndeliveredCommits } from './undelivered-commits';

/** An account with connections to this instance. */
interface LocalAccount {
  name: string;
  connections: number;
  /** Resolves when the account is subscribed to its streams; undefined after a restart. */
  ready: Promise<void> | undefined;
  /** The streams that it is subscribed to. */
  streams: Set<string>;
  /** By conversation: entries by which it has left, if they were delivered before its subscription was known here. */
  earlyLeaves: Map<string, number[]>;
  /** Subscriptions that begin once one that has to read the database has begun. */
  pending: Subscription[];
  /** Settles when that is done. If it fails, the connections of the account are closed. */
  reading: Promise<void> | undefined;
}

/**
 * Delivers entries to the accounts that are connected to this instance, and decides who is subscribed to what.
 *
 * An account is delivered an entry of a conversation if and only if it was a member or follower when the entry was committed. That an
 * account joins or follows a conversation is an entry of its own stream, to which it is subscribed wherever it is connected; that it
 * leaves is the last entry of the conversation that it is delivered. Both are delivered once and in order like all entries, so that
 * every instance subscribes it alike without reading who is a member again.
 *
 * A subscription that begins with an entry that others here have been delivered already is served from the database up to there
 * (`Backfill`, as for a connection that resumes or is slow), and live from there on.
 */
@Injectable()
export class Delivery extends EventEmitter<{
  connected: [account: string];
  disconnected: [account: string];
  gap: [];
  filled: [entries: number];
  restarted: [];
}> {
  private readonly accounts = new Map<string, LocalAccount>();
  private readonly streams: OpenStreams;
  /** Requests of accounts that are not known to be subscribed to the stream of their entry, by its `keyOf`. */
  private readonly pendingReplies = new Map<string, FrameRequest>();
  /** Accounts whose subscriptions wait for a read. */
  private accountsReading = 0;
  private readonly failures: RepeatedLine;

  constructor(
    private readonly log: LogStore,
    private readonly fanOut: FanOut,
    private readonly commits: UndeliveredCommits,
    private readonly peers: Peers,
    @Inject(LOGGER) logger: Logger,
  ) {
    super();
    this.failures = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot deliver an entry');
    });
    this.streams = new OpenStreams(peers, this.deliver);
    this.streams.on('gap', () => this.emit('gap'));
    peers.listen({
      onEntries: (entries) => {
        for (const entry of entries) this.take(entry);
      },
      onEphemeral: (topic, event) => {
        this.fanOut.broadcast(event, this.subscribersOf(topic));
      },
    });
  }

  /** Open streams of this instance. */
  get openStreams(): number {
    return this.streams.size;
  }

  connectedAccounts(): string[] {
    return [...this.accounts.keys()];
  }

  /** Whether a connected account is delivered what happens in a conversation now. */
  isSubscribed(account: string, conversation: string): boolean {
    const stream = this.streams.find(conversation);
    return stream?.isSubscribed(account, stream.deliveredSeq + 1) === true;
  }

  /** Adds a connection of an account. Resolves when every entry that is committed from then on will be delivered to it. */
  async connect(name: string): Promise<void> {
    let local = this.accounts.get(name);
    if (local === undefined) {
      local = newLocalAccount(name);
      this.accounts.set(name, local);
      this.emit('connected', name);
    }
    local.connections += 1;
    try {
      await (local.ready ??= this.subscribeToAll(local));
      if (this.accounts.get(name) !== local) throw new ChatError('unavailable', 'the delivery was restarted');
    } catch (error) {
      this.disconnect(name);
      throw error;
    }
  }

  /** Removes a connection of an account. */
  disconnect(name: string) {
    const local = this.accounts.get(name);
    if (local === undefined) return;
    local.connections -= 1;
    if (local.connections > 0) return;
    this.accounts.delete(name);
    for (const id of local.streams) {
      const stream = this.streams.find(id);
      stream?.endSubscription(name, Infinity);
      if (stream !== undefined) this.closeUnused(stream);
    }
    for (const [key, request] of this.pendingReplies)
      if (request.caller.account === name) this.pendingReplies.delete(key);
    this.emit('disconnected', name);
  }

  /**
   * Delivers and publishes the entries of a transaction that this instance has committed.
   *
   * @param origin the request that has caused it, which gets the events for its account as replies
   */
  add(entries: readonly Entry[], origin?: FrameRequest) {
    this.peers.publish(entries);
    for (const entry of entries) this.take(entry, origin);
  }

  /** Replies with an entry that is stored already. If the account is still to be delivered it, that is the reply. */
  repeat(entry: Entry, origin: FrameRequest) {
    const stream = this.streams.find(entry.stream);
    if (stream?.isSubscribed(origin.caller.account, entry.seq) === true) this.take(entry, origin);
    else this.fanOut.reply(entry, origin);
  }

  /** Delivers and publishes an event that is not stored, to the subscribers of a topic: a conversation or an account. */
  broadcast(topic: string, event: ChatEvent, origin?: FrameRequest) {
    this.fanOut.broadcast(event, this.subscribersOf(topic), origin);
    this.peers.publishEphemeral(topic, event);
  }

  /** Notes up to where streams are committed. */
  expect(positions: readonly Position[]) {
    for (const { stream: id, seq } of positions) {
      const stream = this.streams.find(id);
      if (stream === undefined) continue;
      stream.expect(seq);
      this.streams.checkGap(stream);
    }
  }

  /** Whether streams are delivered up to the given positions, as far as they have subscribers here. */
  hasDelivered(positions: readonly Position[]): boolean {
    if (this.accountsReading > 0) return false;
    return positions.every(({ stream: id, seq }) => {
      const stream = this.streams.find(id);
      return stream === undefined || !stream.hasStarted || stream.hasDelivered(seq);
    });
  }

  /** Returns up to where each stream is delivered. */
  positions(): Position[] {
    return this.streams.positions();
  }

  /**
   * Forgets what has been delivered and who is subscribed to what: the database may lack some of it. The connections of this instance
   * are to be closed before. Emits `restarted`.
   */
  restart() {
    this.peers.clear();
    this.pendingReplies.clear();
    this.streams.closeAll();
    for (const { name, connections } of this.accounts.values())
      this.accounts.set(name, newLocalAccount(name, connections));
    this.emit('restarted');
  }

  /** The streams with subscribers here. */
  streamIds(): string[] {
    return this.streams.ids();
  }

  /** Where entries are missing, and after which sequence number. */
  missing(): Position[] {
    return this.streams.missing();
  }

  /** Delivers what the database holds after the given positions, some of it if that is much. @returns how many entries it has read */
  async fill(after: readonly Position[]): Promise<number> {
    const entries = await this.log.findEntries(after);
    await this.commits.delivered();
    this.streams.fill(after, entries);
    this.emit('filled', entries.length);
    return entries.length;
  }

  private take(entry: Entry, origin?: FrameRequest) {
    const stream = this.streams.find(entry.stream);
    if (stream === undefined) {
      this.replyAfterRefresh(entry, origin);
      return;
    }
    // A repeated request may have been faster than the one that it repeats.
    if (origin !== undefined && stream.hasDelivered(entry.seq)) this.fanOut.reply(entry, origin);
    stream.take(entry, origin);
    this.closeUnused(stream);
    this.streams.checkGap(stream);
  }

  /**
   * Replies to a request whose account is not subscribed to the stream of its entry. It may have joined at another instance: then the
   * subscription that the database knows brings the reply.
   */
  private replyAfterRefresh(entry: Entry, origin: FrameRequest | undefined) {
    const account = origin?.caller.account;
    if (origin === undefined || account === undefined || !this.accounts.has(account)) return;
    if (!eventsOf(entry).some(({ to }) => isRecipient(to, account))) return;
    const key = keyOf(entry);
    this.pendingReplies.set(key, origin);
    this.refresh(account).then(() => {
      const stream = this.streams.find(entry.stream);
      const isDue = stream?.isSubscribed(account, entry.seq) === true && !stream.hasDelivered(entry.seq);
      if (!isDue && this.pendingReplies.delete(key)) this.fanOut.replyToAll(entry, origin);
    }, this.report);
  }

  /** Delivers what the own stream of an account holds in the database by now. */
  private async refresh(account: string) {
    for (let found = 1; found > 0;) {
      const own = this.streams.find(account);
      found = own === undefined ? 0 : await this.fill([{ stream: account, seq: own.deliveredSeq }]);
    }
    await this.finishReading(account);
  }

  private readonly deliver: Deliver = (entry, stream, origin) => {
    this.deliverEvents(entry, stream, origin);
    const { leaves, subscriptions } = membershipChangesOf(entry);
    for (const account of leaves) this.leave(account, stream, entry.seq);
    const local = this.accounts.get(stream.id);
    if (local === undefined || subscriptions.length === 0) return;
    local.pending.push(...subscriptions);
    this.subscribePending(local);
  };

  /** An entry that cannot be delivered, which only another instance can publish, must not fail the commit that makes it its turn. */
  private deliverEvents(entry: Entry, stream: Stream, origin: FrameRequest | undefined) {
    const hasPending = this.pendingReplies.size > 0;
    try {
      const request = origin ?? (hasPending ? this.pendingReplies.get(keyOf(entry)) : undefined);
      const hasReplied = this.fanOut.deliver(entry, stream, request);
      if (!hasReplied) this.replyAfterRefresh(entry, origin);
      else if (hasPending) this.pendingReplies.delete(keyOf(entry));
    } catch (error) {
      this.report(error);
    }
  }

  private async subscribeToAll(local: LocalAccount): Promise<void> {
    const { name } = local;
    // Its own stream collects what is committed while the subscriptions are read, and begins after what they contain.
    const own = this.streams.open(name);
    own.subscribe(name, 1);
    local.streams.add(name);
    const { accountSeq, conversations } = await this.log.findSubscriptions(name);
    if (this.accounts.get(name) !== local) return;
    const opened = conversations.filter(({ stream }) => this.streams.find(stream) === undefined);
    for (const { stream, seq } of opened) this.streams.open(stream).start(seq);
    for (const { stream, seq } of conversations) local.pending.push({ conversation: stream, from: seq + 1 });
    this.subscribePending(local);
    own.start(accountSeq);
    this.streams.checkGap(own);
    // What was committed before they were open here, nobody has noted.
    if (opened.length > 0) this.expect(await this.log.findLastSeqs(opened.map(({ stream }) => stream)));
    await this.finishReading(name);
  }

  private subscribePending(local: LocalAccount) {
    while (local.reading === undefined) {
      const subscription = local.pending.shift();
      if (subscription === undefined) return;
      if (this.mayHaveMissedLeave(subscription)) this.startReading(local, subscription);
      else this.subscribe(local, subscription);
    }
  }

  /** Whether the entry by which the account has left may precede those that were delivered here. */
  private mayHaveMissedLeave({ conversation, from }: Subscription): boolean {
    const stream = this.streams.find(conversation);
    return stream !== undefined && from <= stream.startedAfter;
  }

  private startReading(local: LocalAccount, subscription: Subscription) {
    this.accountsReading += 1;
    local.reading = this.subscribeAfterReading(local, subscription).finally(() => {
      this.accountsReading -= 1;
      local.reading = undefined;
      this.subscribePending(local);
    });
    local.reading.catch((error: unknown) => {
      this.report(error);
      this.fanOut.close(local.name);
    });
  }

  private async finishReading(account: string) {
    for (let local = this.accounts.get(account); local?.reading !== undefined; local = this.accounts.get(account))
      await local.reading;
  }

  private async subscribeAfterReading(local: LocalAccount, { conversation, from }: Subscription) {
    const to = this.streams.find(conversation)?.startedAfter ?? 0;
    const leaves = await this.log.findLeaves(local.name, { stream: conversation, from, to });
    if (this.accounts.get(local.name) !== local) return;
    const known = local.earlyLeaves.get(conversation) ?? [];
    local.earlyLeaves.set(conversation, [...leaves, ...known.filter((seq) => seq > to)]);
    this.subscribe(local, { conversation, from });
  }

  /** Subscribes an account to a conversation from a sequence number on. */
  private subscribe(local: LocalAccount, { conversation, from }: Subscription) {
    const { name } = local;
    const stream = this.streams.find(conversation) ?? this.openAfter(conversation, from - 1);
    const { deliveredSeq } = stream;
    if (from > deliveredSeq) this.subscribeLive(local, stream, from);
    else if (!stream.isSubscribed(name, from)) {
      const leftAt = findLeave(local, conversation, from);
      const to = leftAt ?? deliveredSeq;
      this.fanOut.startBackfill(
        name,
        { stream: conversation, from, to },
        this.takePendingReplies(name, conversation, to),
      );
      if (leftAt === undefined) this.subscribeLive(local, stream, deliveredSeq + 1);
    }
    this.streams.checkGap(stream);
  }

  private subscribeLive(local: LocalAccount, stream: Stream, from: number) {
    stream.subscribe(local.name, from);
    local.streams.add(stream.id);
  }

  /** Opens a stream that is read from the database up to its end. */
  private openAfter(id: string, seq: number): Stream {
    const stream = this.streams.open(id);
    stream.start(seq);
    stream.expect(Infinity);
    return stream;
  }

  /** Ends the subscription of an account with an entry that is delivered. */
  private leave(account: string, stream: Stream, seq: number) {
    const local = this.accounts.get(account);
    if (local === undefined) return;
    if (!stream.endSubscription(account, seq)) {
      local.earlyLeaves.set(stream.id, [...(local.earlyLeaves.get(stream.id) ?? []), seq]);
    }
    if (!stream.isSubscribed(account, Infinity)) local.streams.delete(stream.id);
  }

  /** The requests of an account that a backfill of a conversation replies to, by sequence number. */
  private takePendingReplies(account: string, conversation: string, upTo: number): Map<number, FrameRequest> {
    const taken = new Map<number, FrameRequest>();
    for (const [key, request] of this.pendingReplies) {
      const { stream, seq } = positionOf(key);
      if (stream !== conversation || seq > upTo || request.caller.account !== account) continue;
      this.pendingReplies.delete(key);
      taken.set(seq, request);
    }
    return taken;
  }

  private closeUnused(stream: Stream) {
    if (!this.streams.closeUnused(stream)) return;
    for (const { entry, origin } of stream.waiting()) this.replyAfterRefresh(entry, origin);
  }

  private *subscribersOf(topic: string): Iterable<string> {
    const stream = this.streams.find(topic);
    if (stream !== undefined) yield* stream.subscribersAt(stream.deliveredSeq + 1);
  }

  private readonly report = (error: unknown) => {
    this.failures.say(error);
  };
}

function newLocalAccount(name: string, connections = 0): LocalAccount {
  return {
    name,
    connections,
    ready: undefined,
    streams: new Set(),
    earlyLeaves: new Map(),
    pending: [],
    reading: undefined,
  };
}

/** Returns the entry by which an account has left, if it was delivered already, and forgets earlier ones. */
function findLeave({ earlyLeaves }: LocalAccount, conversation: string, from: number): number | undefined {
  const leaves = earlyLeaves.get(conversation)?.filter((seq) => seq >= from) ?? [];
  if (leaves.length > 0) earlyLeaves.set(conversation, leaves);
  else earlyLeaves.delete(conversation);
  return leaves[0];
}

function keyOf({ stream, seq }: Position): string {
  return `${seq} ${stream}`;
}

function positionOf(key: string): Position {
  const space = key.indexOf(' ');
  return { stream: key.slice(space + 1), seq: Number(key.slice(0, space)) };
}
