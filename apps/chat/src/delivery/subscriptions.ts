import { portionsOf } from '../portions';
import { type LogStore } from '../log/log.store';
import { type EntryRange } from '../log/missed.store';
import { type ChangeEntry, type Position, type Subscription } from '../log/entry';
import { ChatError } from '../errors';
import { type OpenStreams, type Stream } from './streams';

/** An account with connections to this instance. */
interface LocalAccount {
  name: string;
  connections: number;
  /** Resolves when the account is subscribed to its streams; undefined until then, and if they have to be read again. */
  ready: Promise<void> | undefined;
  /** The streams that it is subscribed to. */
  streams: Set<string>;
  /** By conversation: entries by which it has left, if they were delivered before its subscription was known here. */
  earlyLeaves: Map<string, number[]>;
  /** Subscriptions that begin once one that has to read the database has begun. */
  pending: Set<Subscription>;
  /** Settles when that read is done. */
  reading: Promise<void> | undefined;
}

interface SubscriptionsListener {
  onConnected: (account: string) => void;
  onDisconnected: (account: string) => void;
  /** An account is subscribed to entries of a stream that are not delivered yet. */
  onSubscribed: (account: string, stream: Stream) => void;
  /** An account is subscribed to entries that others here have received. */
  onMissed: (account: string, range: EntryRange) => void;
  /** What an account is subscribed to could not be read: its connections have to be closed. */
  onFailed: (account: string, error: unknown) => void;
  /** A stream was closed because it has no subscribers any more. */
  onClosed: (stream: Stream) => void;
}

/** The accounts that are connected to this instance, and what each of them is subscribed to. */
export class Subscriptions {
  private readonly accounts = new Map<string, LocalAccount>();
  /** By account: settles when all its earlier subscriptions are ended. */
  private readonly ending = new Map<string, Promise<unknown>>();
  private reads = 0;

  constructor(
    private readonly streams: OpenStreams,
    private readonly log: LogStore,
    private readonly listener: SubscriptionsListener,
  ) {}

  /** Whether an account waits for a read before it is subscribed. */
  get isReading(): boolean {
    return this.reads > 0;
  }

  accountNames(): string[] {
    return [...this.accounts.keys()];
  }

  has(account: string): boolean {
    return this.accounts.has(account);
  }

  /**
   * Adds a connection of an account. Resolves when every entry that is committed from then on will be delivered to it.
   *
   * @returns the number of subscriptions that were read for it
   */
  async connect(name: string): Promise<number> {
    let local = this.accounts.get(name);
    if (local === undefined) {
      local = newLocalAccount(name);
      this.accounts.set(name, local);
      this.listener.onConnected(name);
    }
    local.connections += 1;
    const isFirst = local.ready === undefined;
    try {
      await (local.ready ??= this.subscribeToAll(local));
      if (!this.isCurrent(local)) throw new ChatError('unavailable', 'the subscriptions have to be read again');
      return isFirst ? local.streams.size : 0;
    } catch (error) {
      this.reset(local);
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
    this.unsubscribe(local);
    this.listener.onDisconnected(name);
  }

  /** Applies a delivered entry: ends the subscriptions of the accounts that leave, and begins those that it lists. */
  apply({ seq, leaves, subscriptions }: ChangeEntry, stream: Stream) {
    for (const account of leaves) this.leave(account, stream, seq);
    if (leaves.length > 0) this.closeUnused(stream);
    const local = this.accounts.get(stream.id);
    if (local === undefined || subscriptions.length === 0) return;
    for (const subscription of subscriptions) local.pending.add(subscription);
    this.subscribePending(local);
  }

  /** Resolves when an account waits for no read. */
  async finishReading(account: string) {
    for (let local = this.accounts.get(account); local?.reading !== undefined; local = this.accounts.get(account))
      await local.reading;
  }

  /** Forgets what the accounts are subscribed to. All streams are closed, and the connections are being closed. */
  restart() {
    for (const local of this.accounts.values()) this.forget(local);
  }

  /** Ends the subscriptions of an account after a failure, although connections of it may be open. Its next connection reads them again. */
  private reset(local: LocalAccount) {
    if (!this.isCurrent(local)) return;
    this.unsubscribe(local);
    this.forget(local);
  }

  /** Forgets what an account is subscribed to. Its next connection reads it again. */
  private forget({ name, connections }: LocalAccount) {
    this.accounts.set(name, newLocalAccount(name, connections));
  }

  /** Ends the subscriptions of an account. It can be subscribed again when that is done. */
  private unsubscribe(local: LocalAccount) {
    const { name } = local;
    const ended = Promise.all([this.ending.get(name), this.endSubscriptions(local)]).finally(() => {
      if (this.ending.get(name) === ended) this.ending.delete(name);
    });
    this.ending.set(name, ended);
  }

  private async endSubscriptions({ name, streams, pending }: LocalAccount): Promise<void> {
    // Streams of pending subscriptions may have been opened for them.
    const ids = [...streams, ...Array.from(pending, ({ conversation }) => conversation)];
    for await (const portion of portionsOf(ids)) {
      for (const id of portion) {
        const stream = this.streams.find(id);
        stream?.endSubscription(name, Infinity);
        if (stream !== undefined) this.closeUnused(stream);
      }
    }
  }

  /** Whether an account is connected and what it is subscribed to has not been forgotten. */
  private isCurrent(local: LocalAccount): boolean {
    return this.accounts.get(local.name) === local;
  }

  private async subscribeToAll(local: LocalAccount): Promise<void> {
    const { name } = local;
    await this.ending.get(name);
    if (!this.isCurrent(local)) return;
    // Its own stream collects what is committed while the subscriptions are read, and begins after what they contain.
    const own = this.streams.open(name);
    own.subscribe(name, 1);
    local.streams.add(name);
    const { accountSeq, conversations } = await this.log.findSubscriptions(name);
    for await (const portion of portionsOf(conversations)) {
      // A portion may have begun to read: later ones would then be subscribed all at once when that is done.
      await this.finishReading(name);
      if (!this.isCurrent(local)) return;
      const opened = this.subscribeToSome(local, portion);
      // A poll for commits between the snapshot and now did not know these streams.
      if (opened.length > 0) this.streams.expect(await this.log.findLastSeqs(opened));
    }
    if (!this.isCurrent(local)) return;
    own.start(accountSeq);
    this.streams.checkGap(own);
    await this.finishReading(name);
  }

  /** @returns the streams that were not open */
  private subscribeToSome(local: LocalAccount, conversations: readonly Position[]): string[] {
    const opened: string[] = [];
    for (const { stream, seq } of conversations) {
      if (this.streams.find(stream) === undefined) {
        this.streams.open(stream).start(seq);
        opened.push(stream);
      }
      local.pending.add({ conversation: stream, from: seq + 1 });
    }
    this.subscribePending(local);
    return opened;
  }

  private subscribePending(local: LocalAccount) {
    for (const subscription of local.pending) {
      if (local.reading !== undefined || !this.isCurrent(local)) return;
      local.pending.delete(subscription);
      if (this.mayHaveMissedLeave(subscription)) this.startReading(local, subscription);
      else this.subscribe(local, subscription);
    }
  }

  /** Whether the entry by which the account has left may precede those that were delivered here. */
  private mayHaveMissedLeave({ conversation, from }: Subscription): boolean {
    const stream = this.streams.find(conversation);
    return stream !== undefined && from <= stream.openedAfterSeq;
  }

  private startReading(local: LocalAccount, subscription: Subscription) {
    this.reads += 1;
    local.reading = this.subscribeAfterReading(local, subscription).finally(() => {
      this.reads -= 1;
      local.reading = undefined;
      this.subscribePending(local);
    });
    local.reading.catch((error: unknown) => {
      // Its present connections, if there are any, do not depend on this read.
      if (!this.isCurrent(local)) return;
      this.reset(local);
      this.listener.onFailed(local.name, error);
    });
  }

  private async subscribeAfterReading(local: LocalAccount, { conversation, from }: Subscription) {
    const openedAfterSeq = () => this.streams.find(conversation)?.openedAfterSeq ?? 0;
    // The stream may be closed and opened again meanwhile, behind another leave.
    let to: number;
    do {
      to = openedAfterSeq();
      const leaves = await this.log.findLeaves(local.name, { stream: conversation, from, to });
      if (!this.isCurrent(local)) return;
      const known = local.earlyLeaves.get(conversation) ?? [];
      local.earlyLeaves.set(conversation, [...leaves, ...known.filter((seq) => seq > to)]);
    } while (to < openedAfterSeq());
    this.subscribe(local, { conversation, from });
  }

  private subscribe(local: LocalAccount, { conversation, from }: Subscription) {
    const { name } = local;
    const stream = this.streams.find(conversation) ?? this.openAfter(conversation, from - 1);
    // The entries before it exist. Nothing else may be known of them, if the account that opened the stream failed to read how far it goes.
    stream.expect(from - 1);
    const { deliveredSeq } = stream;
    if (from > deliveredSeq) {
      this.subscribeLive(local, stream, from);
    } else if (!stream.isSubscribed(name, from)) {
      const leftAt = findLeave(local, conversation, from);
      const hasLeft = leftAt !== undefined;
      this.listener.onMissed(name, { stream: conversation, from, to: leftAt ?? deliveredSeq, hasLeft });
      if (!hasLeft) this.subscribeLive(local, stream, from);
    }
    this.streams.checkGap(stream);
  }

  private subscribeLive(local: LocalAccount, stream: Stream, from: number) {
    stream.subscribe(local.name, from);
    local.streams.add(stream.id);
    this.listener.onSubscribed(local.name, stream);
  }

  /** Opens a stream that is read from the database up to its end. */
  private openAfter(id: string, seq: number): Stream {
    const stream = this.streams.open(id);
    stream.start(seq);
    stream.expectMore();
    return stream;
  }

  /** Closes a stream if it has no subscribers. */
  private closeUnused(stream: Stream) {
    if (this.streams.closeUnused(stream)) this.listener.onClosed(stream);
  }

  private leave(account: string, stream: Stream, seq: number) {
    const wasSubscribed = stream.endSubscription(account, seq);
    const local = this.accounts.get(account);
    if (local === undefined) return;
    if (!wasSubscribed) {
      local.earlyLeaves.set(stream.id, [...(local.earlyLeaves.get(stream.id) ?? []), seq]);
    }
    if (!stream.isSubscribed(account, Infinity)) local.streams.delete(stream.id);
  }
}

function newLocalAccount(name: string, connections = 0): LocalAccount {
  return {
    name,
    connections,
    ready: undefined,
    streams: new Set(),
    earlyLeaves: new Map(),
    pending: new Set(),
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
