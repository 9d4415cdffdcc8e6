import { ChatError } from '../errors';
import { type ChangeEntry, type Position } from '../log/entry';
import { type LogStore } from '../log/log.store';
import { portionsOf } from '../portions';
import { type OpenStreams } from './open-streams';
import { type Stream } from './stream';

/** An account with connections to this instance. */
interface LocalAccount {
  name: string;
  connections: number;
  /** Resolves when the account is subscribed to its streams; undefined if no connection has begun to read them. */
  ready: Promise<void> | undefined;
  /** The ids of the streams that it is subscribed to. */
  streams: Set<string>;
}

interface SubscriptionsListener {
  onConnected: (account: string) => void;
  onDisconnected: (account: string) => void;
  /** A subscription begins with an entry that this instance has delivered already: the account has not received it. */
  onLate: (account: string, from: Position) => void;
  /** The subscriptions of an account could not be read: its connections have to be closed. */
  onFailed: (account: string, error: unknown) => void;
}

/**
 * The accounts that are connected to this instance, and what each of them is subscribed to.
 *
 * The subscriptions of an account are read from the database when it connects, and then follow the delivered entries
 * (`apply`). A subscription may become known only after this instance has delivered its first entry: then it is late.
 * One of the delivered entries may have ended it again, so it is unconfirmed, and receives nothing live, until the
 * database is read (`confirmLate`).
 */
export class Subscriptions {
  private readonly accounts = new Map<string, LocalAccount>();
  /** By account: settles when all its earlier subscriptions are ended. */
  private readonly ending = new Map<string, Promise<unknown>>();

  constructor(
    private readonly streams: OpenStreams,
    private readonly log: LogStore,
    private readonly listener: SubscriptionsListener,
  ) {}

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
  disconnect(name: string): void {
    const local = this.accounts.get(name);
    if (local === undefined) return;
    local.connections -= 1;
    if (local.connections > 0) return;
    this.accounts.delete(name);
    this.unsubscribe(local);
    this.listener.onDisconnected(name);
  }

  /** Applies a delivered entry: ends the subscriptions of the accounts that leave, and begins those that it lists. */
  apply({ seq, leaves, subscriptions }: ChangeEntry, stream: Stream): void {
    for (const account of leaves) this.leave(account, stream, seq);
    if (leaves.length > 0) this.streams.closeUnused(stream);
    const local = this.accounts.get(stream.id);
    if (local === undefined || subscriptions.length === 0) return;
    for (const { conversation, from } of subscriptions)
      if (this.streams.find(conversation) === undefined) this.openAfter(conversation, from - 1);
    this.subscribe(
      local,
      subscriptions.map(({ conversation, from }) => ({ stream: conversation, seq: from })),
    );
  }

  /** Forgets what the accounts are subscribed to. The caller has closed all streams and connections. */
  restart(): void {
    for (const local of this.accounts.values()) this.forget(local);
  }

  /**
   * Ends the subscriptions of an account after a failure, although connections of it may be open. Its next connection
   * reads them again.
   */
  private reset(local: LocalAccount): void {
    if (!this.isCurrent(local)) return;
    this.unsubscribe(local);
    this.forget(local);
  }

  /** Forgets what an account is subscribed to. Its next connection reads it again. */
  private forget({ name, connections }: LocalAccount): void {
    this.accounts.set(name, newLocalAccount(name, connections));
  }

  /** Ends the subscriptions of an account. It can be subscribed again when that is done. */
  private unsubscribe(local: LocalAccount): void {
    const { name } = local;
    const ended = Promise.all([this.ending.get(name), this.endSubscriptions(local)]).finally(() => {
      if (this.ending.get(name) === ended) this.ending.delete(name);
    });
    this.ending.set(name, ended);
  }

  private async endSubscriptions({ name, streams }: LocalAccount): Promise<void> {
    for await (const portion of portionsOf([...streams])) {
      for (const id of portion) {
        const stream = this.streams.find(id);
        stream?.subscribers.end(name, Infinity);
        if (stream !== undefined) this.streams.closeUnused(stream);
      }
    }
  }

  /** Whether an account is still connected, and its subscriptions were not forgotten meanwhile. */
  private isCurrent(local: LocalAccount): boolean {
    return this.accounts.get(local.name) === local;
  }

  private async subscribeToAll(local: LocalAccount): Promise<void> {
    const { name } = local;
    await this.ending.get(name);
    if (!this.isCurrent(local)) return;
    // While the subscriptions are read, its own stream collects their changes. It starts after the changes that the
    // result contains.
    const own = this.streams.open(name);
    own.subscribers.add(name, 1);
    local.streams.add(name);
    const { accountSeq, conversations } = await this.log.findSubscriptions(name);
    for await (const portion of portionsOf(conversations)) {
      if (!this.isCurrent(local)) return;
      await this.subscribeToPortion(local, portion);
    }
    if (!this.isCurrent(local)) return;
    own.start(accountSeq);
    this.streams.checkBehind(own);
  }

  /**
   * Subscribes an account to some of its conversations, which are opened if necessary.
   *
   * @param lastSeqs the last entry of each when the subscriptions were read: the account receives later ones live
   */
  private async subscribeToPortion(local: LocalAccount, lastSeqs: readonly Position[]): Promise<void> {
    const opened = lastSeqs.filter(({ stream }) => this.streams.find(stream) === undefined);
    for (const { stream, seq } of opened) this.streams.open(stream).start(seq);
    this.subscribe(
      local,
      lastSeqs.map(({ stream, seq }) => ({ stream, seq: seq + 1 })),
    );
    // `CommitPoll` may have polled after the subscriptions were read, when these streams were not open yet.
    if (opened.length > 0) this.streams.expect(await this.log.findLastSeqs(opened.map(({ stream }) => stream)));
  }

  /** Subscribes an account to open streams, to each from a sequence number on. */
  private subscribe(local: LocalAccount, froms: readonly Position[]): void {
    const late: Position[] = [];
    for (const from of froms) {
      const stream = this.streams.find(from.stream);
      if (stream === undefined) continue;
      // The entries before it exist. The stream may not know them yet, if the account that opened it failed to read its
      // last sequence number.
      stream.expect(from.seq - 1);
      stream.subscribers.add(local.name, from.seq);
      local.streams.add(stream.id);
      if (stream.hasDelivered(from.seq)) {
        late.push(from);
        stream.subscribers.awaitConfirmation(local.name, from.seq);
        this.listener.onLate(local.name, from);
      }
      this.streams.checkBehind(stream);
    }
    if (late.length === 0) return;
    this.confirmLate(local, late).catch((error: unknown) => {
      // The subscriptions were ended meanwhile, so that no connection depends on this read.
      if (!this.isCurrent(local)) return;
      this.reset(local);
      this.listener.onFailed(local.name, error);
    });
  }

  /** Ends late subscriptions if the account left with an entry that was delivered here, and confirms the others. */
  private async confirmLate(local: LocalAccount, late: readonly Position[]): Promise<void> {
    const { name } = local;
    const opened = late.map(({ stream }) => this.streams.find(stream));
    const ranges = await this.log.findSubscribed(name, late);
    if (!this.isCurrent(local)) return;
    for (const [i, { stream: id, seq }] of late.entries()) {
      const stream = this.streams.find(id);
      if (stream === undefined || stream !== opened[i]) continue;
      stream.subscribers.confirm(name, seq);
      for (const { to } of ranges.filter((range) => range.stream === id && range.hasLeft))
        if (stream.hasDelivered(to)) this.leave(name, stream, to);
      this.streams.closeUnused(stream);
    }
  }

  /** Opens a stream that is read from the database up to its end. */
  private openAfter(id: string, seq: number): void {
    const stream = this.streams.open(id);
    stream.start(seq);
    stream.expectMore();
  }

  private leave(account: string, stream: Stream, seq: number): void {
    stream.subscribers.end(account, seq);
    if (!stream.subscribers.has(account)) this.accounts.get(account)?.streams.delete(stream.id);
  }
}

function newLocalAccount(name: string, connections = 0): LocalAccount {
  return { name, connections, ready: undefined, streams: new Set() };
}
