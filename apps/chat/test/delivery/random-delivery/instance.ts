import { Pool } from 'pg';
import { toCursor } from '../../../src/delivery/cursor';
import { FanOut } from '../../../src/delivery/fan-out';
import { type Entry, eventsOf, isRecipient, type SeqRange, subscriptionChangesOf } from '../../../src/log/entry';
import { CatchUpStore } from '../../../src/log/catch-up.store';
import { type FrameRequest } from '../../../src/realtime/frame-request';
import { deliveryOf, TestBus, requestOn } from '../../support/delivery-parts';
import { type Received, TestConnection } from './connection';
import { accounts, conversations, RandomDatabase } from './database';

/** More than the time after which the database is polled, and a gap is filled, in milliseconds. */
const pollMs = 1_100;
/** Maximum of concurrent connections of an account. */
const maxConnections = 3;

/** Reads pages from the database of the test. */
class PageStore extends CatchUpStore {
  constructor(private readonly database: RandomDatabase) {
    super(new Pool());
  }

  override findPage(ranges: readonly SeqRange[]): Promise<Entry[]> {
    return this.database.findPage(ranges);
  }

  override findSince(account: string, since: Date) {
    return this.database.findSince(account, since);
  }

  override findAcknowledged() {
    return Promise.resolve([]);
  }
}

/** A connection of an account, from the start of connecting to the end of its socket. */
interface Session {
  readonly account: string;
  readonly connection: TestConnection;
  /** Commits when the first of the account's present connections began to connect: it is not delivered earlier ones. */
  readonly commitsBefore: number;
  /**
   * Commits when it was connected, or before its cursor: it is delivered all later ones. Undefined before it is
   * connected.
   */
  commitsAtConnect: number | undefined;
  hasEnded: boolean;
}

/** A request by which an account has made an entry, or that repeats one. */
interface SentRequest {
  readonly session: Session;
  readonly entry: Entry;
  readonly ref: number;
  readonly isRepeat: boolean;
  /** The connections that the account had when it sent the request. */
  readonly openSessions: readonly Session[];
}

/** One instance whose accounts come and go, beside others that write to the same database. */
export class RandomInstance {
  private readonly database = new RandomDatabase();
  private readonly bus = new TestBus();
  private readonly sessions: Session[] = [];
  private readonly requests: SentRequest[] = [];
  /** Entries that were missed and not received before the resume was complete. */
  private readonly resumedTooEarly: Entry[] = [];
  /** Entries in transit to this instance: own commits, which arrive, and those of others, which may be lost. */
  private readonly arriving: { isSure: boolean; arrive: () => void }[] = [];
  private readonly parts = deliveryOf(this.database, {
    catchUpStore: new PageStore(this.database),
    bus: this.bus,
    fanOutClass: FanOut,
  });
  private readonly delivery = this.parts.delivery;

  constructor() {
    this.parts.cursor.advance(this.database.completeUntil, '');
    void this.parts.commitPoll.poll();
  }

  /** Opens a connection that resumes from before the last commits. */
  resume(account: string, commitsMissed: number) {
    this.connect(account, Math.max(0, this.database.commits.length - commitsMissed));
  }

  /**
   * Opens a connection, while others of the account may be open or closed by this instance.
   *
   * @param resumeFrom the number of commits before its cursor
   */
  connect(account: string, resumeFrom?: number) {
    const others = this.sessions.filter((each) => each.account === account && !each.hasEnded);
    if (others.length === maxConnections) return;
    const isFirst = !this.delivery.connectedAccounts().includes(account);
    const commits = this.database.commits.length;
    const commitsBefore = isFirst
      ? commits
      : (this.sessions.findLast((each) => each.account === account)?.commitsBefore ?? 0);
    const connection = new TestConnection();
    const session: Session = {
      account,
      connection,
      commitsBefore: Math.min(commitsBefore, resumeFrom ?? Infinity),
      commitsAtConnect: undefined,
      hasEnded: false,
    };
    this.sessions.push(session);
    this.delivery.connect(account).then(
      () => {
        if (session.hasEnded) {
          this.delivery.disconnect(account);
          return;
        }
        session.commitsAtConnect = resumeFrom ?? this.database.commits.length;
        this.parts.connections.authenticate(connection, { account, sessionId: '', untilMs: Infinity });
        if (resumeFrom === undefined) return;
        const request = requestOn(connection, 'authenticate', undefined);
        const cursor = toCursor(this.database.timeOf(resumeFrom));
        const missed = this.subscribedTo(account, resumeFrom);
        this.parts.resumption.resume(request, account, cursor).then(
          () => {
            this.resumedTooEarly.push(
              ...(connection.isOpen ? missed.filter((entry) => !hasReceived(session, entry)) : []),
            );
          },
          () => {
            connection.close();
          },
        );
      },
      () => {
        session.hasEnded = true;
      },
    );
  }

  /** Ends a connection: its client goes, or this instance has closed it before. */
  disconnect(which: number) {
    const session = pick(
      this.sessions.filter(({ hasEnded }) => !hasEnded),
      which,
    );
    if (session !== undefined) this.endSession(session);
  }

  /** A client loses its connection, and is back at once. */
  reconnect(which: number) {
    const session = pick(
      this.sessions.filter(({ hasEnded }) => !hasEnded),
      which,
    );
    if (session === undefined) return;
    this.endSession(session);
    this.connect(session.account);
  }

  /** A client becomes slow, or is no longer. */
  slowDown(which: number) {
    const session = pick(
      this.sessions.filter(({ hasEnded }) => !hasEnded),
      which,
    );
    if (session !== undefined) session.connection.isSlow = !session.connection.isSlow;
  }

  /** An account that is connected nowhere here writes. @param isOwn whether this instance commits it */
  write(conversation: string, isOwn: boolean) {
    this.arriveLater(isOwn, this.database.appendMessage('zoe', conversation));
  }

  /** A member writes on its newest connection here. */
  writeHere(account: string, conversation: string) {
    if (this.database.membershipOf(account, conversation) !== 'member') return;
    this.requestHere(account, () => this.database.appendMessage(account, conversation));
  }

  /** Removes a member or a follower by its own request here. */
  leaveHere(account: string, conversation: string) {
    if (this.database.membershipOf(account, conversation) === 'none') return;
    this.requestHere(account, () => this.database.appendLeave(account, conversation));
  }

  /** Repeats a message of this instance on the account's newest connection. */
  repeat(which: number) {
    const sent = pick(
      this.requests.filter(({ entry }) => 'message' in entry),
      which,
    );
    const session = sent && this.newestSession(sent.session.account);
    if (sent === undefined || session === undefined) return;
    // As it is read from the database.
    const entry = { ...sent.entry };
    this.delivery.replyWithStored(entry, this.request(session, entry, true));
  }

  /** Adds an account to conversations, by one transaction. */
  addMember(account: string, joined: readonly string[], isOwn: boolean) {
    const others = joined.filter((each) => this.database.membershipOf(account, each) !== 'member');
    if (others.length > 0) this.arriveLater(isOwn, this.database.appendJoins(account, others));
  }

  /** Removes a member or a follower. */
  remove(account: string, conversation: string, isOwn: boolean) {
    if (this.database.membershipOf(account, conversation) === 'none') return;
    this.arriveLater(isOwn, this.database.appendLeave(account, conversation));
  }

  follow(account: string, conversation: string, isOwn: boolean) {
    if (this.database.membershipOf(account, conversation) !== 'none') return;
    this.arriveLater(isOwn, this.database.appendFollowing(account, conversation));
  }

  changeAccount(account: string, isOwn: boolean) {
    this.arriveLater(isOwn, this.database.appendToAccount(account));
  }

  succeed(which: number) {
    this.database.settle(which, 'succeed');
  }

  fail(which: number) {
    this.database.settle(which, 'fail');
  }

  arrive(which: number) {
    const [arriving] = this.arriving.splice(which % Math.max(1, this.arriving.length), 1);
    arriving?.arrive();
  }

  /** Loses bus messages of others that are in transit. */
  loseNotifications() {
    this.arriving.splice(0, Infinity, ...this.arriving.filter(({ isSure }) => isSure));
  }

  poll() {
    jest.advanceTimersByTime(pollMs);
  }

  passTime() {
    this.database.passTime();
  }

  /**
   * Lets everything that is running come to its end, without further failures, and ends the connections that were
   * closed.
   */
  async settle(): Promise<void> {
    this.loseNotifications();
    while (this.arriving.length > 0) this.arrive(0);
    // A second poll finds what the first one has brought.
    for (let polls = 0, completed = 0; completed < 3; polls += 1) {
      if (polls > 100) throw new Error('it does not come to rest');
      for (let quietTurns = 0; quietTurns < 3; quietTurns += 1) {
        if (this.database.settle(0, 'succeed')) quietTurns = -1;
        await turn();
      }
      for (const each of this.sessions) if (!each.connection.isOpen && !each.hasEnded) this.endSession(each);
      if (this.parts.cursor.reached.getTime() === this.database.completeUntil.getTime()) completed += 1;
      this.poll();
    }
  }

  end() {
    this.parts.commitPoll.onModuleDestroy();
  }

  /** Returns the errors after everything has finished. */
  violations(): string[] {
    return [
      ...this.sessions.flatMap((each) => [
        ...this.outOfOrder(each),
        ...this.notAllowed(each),
        ...this.missing(each).map(({ stream, seq }) => `${each.account} does not get ${stream} ${seq}`),
      ]),
      ...this.requests.flatMap((each) => this.wrongReplies(each)),
      ...this.resumedTooEarly.map(({ stream, seq }) => `${stream} ${seq} is missing when a resume is complete`),
      ...this.wrongStreams(),
    ];
  }

  /**
   * Each entry is received in order, and once. It may be received again as a reply. If the account has left meanwhile,
   * or the request was repeated, the request may get its reply on all connections, although they have the entry. On a
   * connection that has repeated the request, it comes at any time.
   */
  private outOfOrder(session: Session): string[] {
    const { account, connection, commitsBefore } = session;
    const hasRepeated = (entry: Entry) =>
      this.requestsOf(entry).some((each) => each.session === session && each.isRepeat);
    const mayComeAgain = (each: Received) =>
      each.ref !== undefined ||
      this.requestsOf(each).some(({ isRepeat }) => isRepeat) ||
      (this.requestsOf(each).length > 0 && this.hasLeftSince(account, each));
    const inOrder = this.subscribedTo(account, commitsBefore).filter((entry) => !hasRepeated(entry));
    return [...conversations, account].flatMap((stream) => {
      const seqs = connection.received
        .filter((each) => each.stream === stream && inOrder.some((entry) => isSame(entry, each)))
        .filter((each, i, all) => !mayComeAgain(each) || all.findIndex((other) => isSame(other, each)) === i)
        .map(({ seq }) => seq);
      return seqs.some((seq, i) => seq <= (seqs[i - 1] ?? 0)) ? [`${account} gets ${stream}: ${seqs.join(' ')}`] : [];
    });
  }

  /**
   * Received entries were committed while the account was subscribed and its connections open. Replies are exceptions:
   * to a new request on each connection that the account had when it sent the request, to a repeated one on the
   * connection of the request.
   */
  private notAllowed(session: Session): string[] {
    const { account, connection, commitsBefore } = session;
    const replies = this.requests.flatMap(({ session: sender, entry, isRepeat, openSessions }) =>
      sender === session || (!isRepeat && openSessions.includes(session)) ? [entry] : [],
    );
    const allowed = [...replies, ...this.subscribedTo(account, commitsBefore)];
    return connection.received
      .filter((each) => !allowed.some((entry) => isSame(entry, each)))
      .map(({ stream, seq }) => `${account} gets ${stream} ${seq}, to which it is not subscribed`);
  }

  /** What was committed while an open connection was connected and its account subscribed, and is not received. */
  private missing(session: Session): Entry[] {
    const { account, connection, commitsAtConnect = Infinity } = session;
    if (!connection.isOpen) return [];
    return this.subscribedTo(account, commitsAtConnect).filter((entry) => !hasReceived(session, entry));
  }

  /** The entries that an account is subscribed to and a recipient of, without those of the first commits. */
  private subscribedTo(account: string, commitsBefore: number): Entry[] {
    return this.database.commits.flatMap(({ entries }, n) =>
      entries
        .filter(({ stream }) => n >= commitsBefore && (stream === account || this.isSubscribed(account, stream, n)))
        .filter((entry) => eventsOf(entry).some(({ to }) => isRecipient(to, account))),
    );
  }

  /** Whether an account is subscribed to a conversation before or after a commit. */
  private isSubscribed(account: string, stream: string, n: number): boolean {
    return (
      conversations.includes(stream) &&
      [n, n + 1].some((commits) => this.database.membershipOf(account, stream, commits) !== 'none')
    );
  }

  /**
   * Each request on an open connection gets one reply, also if others are for the same entry. Its connection gets the
   * entry in no other way, unless a request was repeated or the account has left.
   */
  private wrongReplies({ session: { account, connection }, entry, ref }: SentRequest): string[] {
    if (!connection.isOpen) return [];
    const received = connection.received.filter((each) => isSame(entry, each));
    const replies = received.filter((each) => each.ref === ref).length;
    const mayRepeat = this.requestsOf(entry).length > 1 || this.hasLeftSince(account, entry);
    const isWrong = replies !== 1 || (received.length > 1 && !mayRepeat);
    return isWrong
      ? [`${account} gets ${replies} of ${received.length} as a reply with ${entry.stream} ${entry.seq}`]
      : [];
  }

  private hasLeftSince(account: string, { stream, seq }: Pick<Entry, 'stream' | 'seq'>): boolean {
    return this.database
      .entriesOf(stream)
      .some((entry) => entry.seq >= seq && subscriptionChangesOf(entry).leaves.includes(account));
  }

  /**
   * The connected accounts are subscribed to their conversations. These streams and their own are open, and no others.
   */
  private wrongStreams(): string[] {
    const connected = accounts.filter((each) => this.newestSession(each) !== undefined);
    const wrong = connected.filter((each) => {
      const subscribed = conversations.filter((conversation) => this.delivery.isSubscribed(each, conversation));
      return subscribed.join(' ') !== this.database.conversationsOf(each).join(' ');
    });
    const open = this.delivery.streams.ids().toSorted().join(' ');
    const used = new Set(connected.flatMap((each) => [each, ...this.database.conversationsOf(each)]));
    const expected = [...used].toSorted().join(' ');
    const streams = open === expected ? [] : [`open: ${open} instead of ${expected}`];
    return [...streams, ...wrong.map((each) => `the subscriptions of ${each} are wrong`)];
  }

  private requestsOf(entry: Pick<Entry, 'stream' | 'seq'>): SentRequest[] {
    return this.requests.filter((each) => isSame(each.entry, entry));
  }

  private newestSession(account: string): Session | undefined {
    return this.sessions.findLast(
      (each) => each.account === account && each.commitsAtConnect !== undefined && each.connection.isOpen,
    );
  }

  private endSession(session: Session) {
    session.hasEnded = true;
    session.connection.close();
    // One that is still connecting is disconnected when it has connected.
    if (session.commitsAtConnect === undefined) return;
    this.parts.connections.remove(session.connection);
    this.delivery.disconnect(session.account);
  }

  private requestHere(account: string, commit: () => readonly Entry[]) {
    const session = this.newestSession(account);
    if (session === undefined) return;
    const entries = commit();
    const [entry] = entries;
    if (entry !== undefined) this.arriveLater(true, entries, this.request(session, entry));
  }

  private request(session: Session, entry: Entry, isRepeat = false): FrameRequest {
    const ref = this.requests.length;
    const openSessions = this.sessions.filter((each) => each.account === session.account && each.connection.isOpen);
    this.requests.push({ session, entry, ref, isRepeat, openSessions });
    return requestOn(session.connection, undefined, ref);
  }

  private arriveLater(isOwn: boolean, entries: readonly Entry[], origin?: FrameRequest) {
    if (isOwn) {
      const arrived = new Promise<void>((resolve) => {
        const arrive = () => {
          this.delivery.deliverCommitted(entries, origin === undefined ? [] : [origin]);
          resolve();
        };
        this.arriving.push({ isSure: true, arrive });
      });
      void this.delivery.track(arrived);
      return;
    }
    for (const topic of new Set(entries.map(({ stream }) => stream))) {
      const published = conversations.includes(topic) ? entries.filter(({ stream }) => stream === topic) : entries;
      const arrive = () => {
        this.bus.receive(topic, JSON.stringify({ kind: 'entries', entries: published, timeline: '' }));
      };
      this.arriving.push({ isSure: false, arrive });
    }
  }
}

/** Runs every task that can continue. */
export const turn = () => new Promise(setImmediate);

function pick<T>(from: readonly T[], which: number): T | undefined {
  return from[which % Math.max(1, from.length)];
}

function hasReceived({ connection }: Session, entry: Entry): boolean {
  return connection.received.some((each) => isSame(entry, each));
}

function isSame(one: Pick<Entry, 'stream' | 'seq'>, other: Pick<Entry, 'stream' | 'seq'>): boolean {
  return one.stream === other.stream && one.seq === other.seq;
}
