import { type EntryRange } from '../../src/delivery/backfill';
import { type Bus } from '../../src/delivery/bus';
import { type CatchUp } from '../../src/delivery/catch-up';
import { Cursor } from '../../src/delivery/cursor';
import { type Delivery } from '../../src/delivery/delivery';
import { FanOut } from '../../src/delivery/fan-out';
import { type Stream } from '../../src/delivery/stream';
import { type UndeliveredCommits } from '../../src/delivery/undelivered-commits';
import { type ChangeEntry, type Entry, eventsOf, isRecipient, membershipChangesOf } from '../../src/log/entry';
import { FrameRequest } from '../../src/realtime/frame-request';
import { deliveryOf, fanOutParts } from '../delivery-parts';
import { conversation, RandomDatabase } from './database';

/** More than the time after which the database is polled, and a gap is filled, in milliseconds. */
const pollMs = 1_100;

/** A bus that brings what the test says that other instances have published, if it is subscribed to. */
class TestBus implements Bus {
  private readonly topics = new Set<string>();
  private listener: (topic: string, text: string) => void = () => undefined;

  bring(topic: string, entries: readonly Entry[]) {
    if (this.topics.has(topic)) this.listener(topic, JSON.stringify({ kind: 'entries', entries, timeline: '' }));
  }
  listen(listener: (topic: string, text: string) => void) {
    this.listener = listener;
  }
  subscribe(topics: readonly string[]) {
    for (const topic of topics) this.topics.add(topic);
  }
  unsubscribe(topics: readonly string[]) {
    for (const topic of topics) this.topics.delete(topic);
  }
  publish() {
    // What others receive is not checked here.
  }
  close() {
    return Promise.resolve();
  }
}

/** A connection of an account. */
interface Session {
  /** Commits when it was connected. */
  readonly commitsBefore: number;
  readonly delivered: Entry[];
  /** Requests of the connection with the entries that they have made, and the replies. */
  readonly requests: { entry: Entry; request: FrameRequest; replies: number }[];
}

/** Writes to sessions instead of sockets. */
class SessionFanOut extends FanOut {
  constructor(
    private readonly sessions: ReadonlyMap<string, Session>,
    private readonly database: RandomDatabase,
    private readonly onClose: (account: string) => void,
    ...parts: ConstructorParameters<typeof FanOut>
  ) {
    super(...parts);
  }

  override deliver(entry: Entry, stream: Stream, origin: FrameRequest | undefined) {
    for (const [account, session] of this.sessions) {
      if (!stream.isSubscribed(account, entry.seq) || !eventsOf(entry).some(({ to }) => isRecipient(to, account)))
        continue;
      session.delivered.push(entry);
      this.countReply(account, origin);
    }
  }

  override reply(_entry: Entry, request: FrameRequest) {
    this.countReply(request.caller.account, request);
  }

  override replyToAll(entry: Entry, request: FrameRequest) {
    this.reply(entry, request);
  }

  override close(account: string) {
    this.onClose(account);
  }

  override startBackfill(
    account: string,
    { stream, from, to }: EntryRange,
    replies: ReadonlyMap<number, FrameRequest>,
  ) {
    const session = this.sessions.get(account);
    let isSubscribed = true;
    for (const entry of this.database.entriesOf(stream).filter(({ seq }) => seq >= from && seq <= to)) {
      const { joins, leaves } = membershipChangesOf(entry);
      isSubscribed ||= joins.includes(account);
      if (isSubscribed && eventsOf(entry).some((event) => isRecipient(event.to, account)))
        session?.delivered.push(entry);
      this.countReply(account, replies.get(entry.seq));
      isSubscribed &&= !leaves.includes(account);
    }
  }

  private countReply(account: string, origin: FrameRequest | undefined) {
    const request = this.sessions.get(account)?.requests.find((each) => each.request === origin);
    if (request !== undefined) request.replies += 1;
  }
}

/** One instance whose accounts come and go, beside others that write to the same database. */
export class RandomInstance {
  private readonly database = new RandomDatabase();
  private readonly bus = new TestBus();
  private readonly sessions = new Map<string, Session>();
  private readonly connecting = new Set<string>();
  /** What is on its way here: own commits, which arrive, and those of others, which may be lost. */
  private readonly arriving: { isSure: boolean; arrive: () => void }[] = [];
  private readonly commits: UndeliveredCommits;
  private readonly cursor = new Cursor();
  private readonly delivery: Delivery;
  private readonly catchUp: CatchUp;

  constructor() {
    const fanOut = new SessionFanOut(
      this.sessions,
      this.database,
      (account) => {
        this.disconnect(account);
      },
      ...fanOutParts(this.cursor),
    );
    const parts = deliveryOf(this.database, fanOut, this.cursor, this.bus);
    this.delivery = parts.delivery;
    this.commits = parts.commits;
    this.catchUp = parts.catchUp;
    this.cursor.advance(this.database.completeUntil);
    void this.catchUp.onApplicationBootstrap();
  }

  connect(account: string) {
    if (this.sessions.has(account) || this.connecting.has(account)) return;
    this.connecting.add(account);
    this.delivery.connect(account).then(
      () => {
        this.connecting.delete(account);
        this.sessions.set(account, { commitsBefore: this.database.commits.length, delivered: [], requests: [] });
      },
      () => this.connecting.delete(account),
    );
  }

  disconnect(account: string) {
    if (this.sessions.delete(account)) this.delivery.disconnect(account);
  }

  /** An account that is connected nowhere here writes. @param isOwn whether this instance commits it */
  write(isOwn: boolean) {
    this.arriveLater(isOwn, () => this.database.appendMessage('zoe'));
  }

  /** A member writes on its connection here. */
  writeHere(sender: string) {
    const session = this.sessions.get(sender);
    if (session === undefined || this.database.membershipOf(sender) !== 'member') return;
    const request = requestOf(sender);
    const [entry] = this.arriveLater(true, () => this.database.appendMessage(sender), request);
    if (entry !== undefined) session.requests.push({ entry, request, replies: 0 });
  }

  /** A message that was written here is sent again. */
  repeat(which: number) {
    const written = Array.from(this.sessions).flatMap(([account, session]) =>
      session.requests.map(({ entry }) => ({ account, session, entry })),
    );
    const { account, session, entry } = written[which % Math.max(1, written.length)] ?? {};
    if (account === undefined || session === undefined || entry === undefined) return;
    const request = requestOf(account);
    session.requests.push({ entry, request, replies: 0 });
    // As it is read from the database.
    this.delivery.repeat({ ...entry }, request);
  }

  addMember(account: string, isOwn: boolean) {
    if (this.database.membershipOf(account) === 'member') return;
    this.arriveLater(isOwn, () => this.database.appendChange({ account, to: 'member', events: eventsFor(account) }));
  }

  /** Removes a member or a follower. */
  remove(account: string, isOwn: boolean) {
    if (this.database.membershipOf(account) === 'none') return;
    this.arriveLater(isOwn, () => this.database.appendChange({ account, to: 'none', events: eventsFor(account) }));
  }

  /** Follows the conversation, or no longer follows it. */
  follow(account: string, isOwn: boolean) {
    const membership = this.database.membershipOf(account);
    if (membership === 'none') this.arriveLater(isOwn, () => this.database.appendFollowing(account));
    if (membership === 'follower') this.arriveLater(isOwn, () => this.database.appendChange({ account, to: 'none' }));
  }

  changeAccount(account: string, isOwn: boolean) {
    this.arriveLater(isOwn, () => this.database.appendToAccount(account, eventsFor(account)));
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

  /** Loses what others have published and has not arrived yet. */
  loseNotifications() {
    this.arriving.splice(0, Infinity, ...this.arriving.filter(({ isSure }) => isSure));
  }

  poll() {
    jest.advanceTimersByTime(pollMs);
  }

  passTime() {
    this.database.passTime();
  }

  /** Lets everything that is running come to its end, without further failures. */
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
      if (this.cursor.reached.getTime() === this.database.completeUntil.getTime()) completed += 1;
      this.poll();
    }
  }

  end() {
    this.catchUp.onModuleDestroy();
  }

  /** Returns what is wrong with what was delivered. @param isSettled whether all of it has to be delivered */
  violations(isSettled: boolean): string[] {
    return Array.from(this.sessions).flatMap(([account, session]) => [
      ...this.outOfOrder(account, session),
      ...this.notAllowed(account, session),
      ...(isSettled ? this.missing(account, session) : []),
    ]);
  }

  private outOfOrder(account: string, { delivered }: Session): string[] {
    return [conversation, account].flatMap((stream) => {
      const seqs = delivered.filter((entry) => entry.stream === stream).map(({ seq }) => seq);
      return seqs.some((seq, i) => seq <= (seqs[i - 1] ?? 0)) ? [`${account} gets ${stream}: ${seqs.join(' ')}`] : [];
    });
  }

  private notAllowed(account: string, { delivered }: Session): string[] {
    const allowed = new Set(this.subscribedTo(account).map(({ entry }) => entry));
    return delivered
      .filter((entry) => ![...allowed].some(({ stream, seq }) => stream === entry.stream && seq === entry.seq))
      .map(({ stream, seq }) => `${account} gets ${stream} ${seq}, to which it is not subscribed`);
  }

  /** The entries that an account is subscribed to and a recipient of, with the number of their commit. */
  private subscribedTo(account: string): { entry: Entry; n: number }[] {
    return this.database.commits.flatMap(({ entries }, n) => {
      const isMember = [n, n + 1].some((commits) => this.database.membershipOf(account, commits) !== 'none');
      return entries
        .filter(({ stream }) => stream === account || (stream === conversation && isMember))
        .filter((entry) => eventsOf(entry).some(({ to }) => isRecipient(to, account)))
        .map((entry) => ({ entry, n }));
    });
  }

  /** Everything that was committed while it was connected and subscribed. */
  private missing(account: string, session: Session): string[] {
    const due = this.subscribedTo(account).flatMap(({ entry, n }) => (n < session.commitsBefore ? [] : [entry]));
    const missing = due.filter(
      ({ stream, seq }) => !session.delivered.some((entry) => entry.stream === stream && entry.seq === seq),
    );
    // If a request is repeated before it gets its reply, one of the two gets it.
    const wrongReplies = session.requests.filter(({ entry, replies }) => {
      const ofEntry = session.requests.filter((each) => each.entry.seq === entry.seq);
      return replies > 1 || ofEntry.every((each) => each.replies === 0);
    });
    const isMember = this.database.membershipOf(account) !== 'none';
    return [
      ...missing.map(({ stream, seq }) => `${account} does not get ${stream} ${seq}`),
      ...wrongReplies.map(({ entry, replies }) => `${account} gets ${replies} replies with ${entry.seq}`),
      ...(this.delivery.isSubscribed(account, conversation) === isMember
        ? []
        : [`${account} is subscribed: ${!isMember}`]),
    ];
  }

  private arriveLater(isOwn: boolean, commit: () => readonly Entry[], origin?: FrameRequest): readonly Entry[] {
    const entries = commit();
    if (isOwn) {
      const arrived = new Promise<void>((resolve) => {
        const arrive = () => {
          this.delivery.add(entries, origin);
          resolve();
        };
        this.arriving.push({ isSure: true, arrive });
      });
      void this.commits.track(arrived);
      return entries;
    }
    for (const topic of new Set(entries.map(({ stream }) => stream))) {
      const published = topic === conversation ? entries.filter(({ stream }) => stream === topic) : entries;
      const arrive = () => {
        this.bus.bring(topic, published);
      };
      this.arriving.push({ isSure: false, arrive });
    }
    return entries;
  }
}

/** Lets everything that can go on do so. */
export const turn = () => new Promise(setImmediate);

function requestOf(account: string): FrameRequest {
  const request: FrameRequest = Object.create(FrameRequest.prototype, { caller: { value: { account } } });
  return request;
}

function eventsFor(account: string): ChangeEntry['events'] {
  return [{ type: 'conversation-removed', payload: { id: conversation }, to: [account] }];
}
