import { createLogger, Registry } from '@waggle/service';
import { CatchUp } from '../../src/messages/catch-up';
import { OwnCommits } from '../../src/messages/own-commits';
import { FrameRequest } from '../../src/realtime/frame-request';
import { type Bus } from '../../src/streams/bus';
import { Cursor } from '../../src/streams/cursor';
import { type ChatEvent, type ChangeEntry, type Entry, isToldTo } from '../../src/streams/entry';
import { Streams } from '../../src/streams/streams';
import { StreamsMetrics } from '../../src/streams/streams.metrics';
import { Teller } from '../../src/streams/teller';
import { tellerParts } from '../teller-parts';
import { conversation, RandomDatabase } from './database';

/** More than the time after which the database is asked again what was committed, and a gap is read. */
const lookedAgainMs = 1_100;

/** A bus that brings what the test says that other instances have published, as long as it is subscribed to. */
class OpenBus implements Bus {
  private readonly topics = new Set<string>();
  private hear: (topic: string, text: string) => void = () => undefined;

  bring(topic: string, what: unknown) {
    if (this.topics.has(topic)) this.hear(topic, JSON.stringify(what));
  }
  listen(listener: (topic: string, text: string) => void) {
    this.hear = listener;
  }
  subscribe(topics: readonly string[]) {
    for (const topic of topics) this.topics.add(topic);
  }
  unsubscribe(topics: readonly string[]) {
    for (const topic of topics) this.topics.delete(topic);
  }
  publish() {
    // What others hear is not looked at here.
  }
  close() {
    return Promise.resolve();
  }
}

/** An account that is connected. */
interface Session {
  /** How much was committed when it began to connect, and when it was connected. */
  readonly committedFirst: number;
  readonly committedBefore: number;
  /** What it has been told since. */
  readonly told: Entry[];
  /** A request of its connection. */
  readonly request: FrameRequest;
}

/** One instance whose accounts come and go, beside others that write to the same database. */
export class RandomInstance {
  private readonly database = new RandomDatabase();
  private readonly bus = new OpenBus();
  private readonly sessions = new Map<string, Session>();
  private readonly entering = new Set<string>();
  /** What is on its way here: of our own commits, which is sure, or of others', which may be lost. */
  private readonly coming: { isSure: boolean; arrive: () => void }[] = [];
  /** Messages written here. */
  private readonly written: { entry: Entry; sender: string }[] = [];
  private readonly commits = new OwnCommits();
  private readonly cursor = new Cursor();
  private readonly streams: Streams;
  private readonly catchUp: CatchUp;

  constructor() {
    const { sessions } = this;
    class Told extends Teller {
      override tell({ to }: ChatEvent, hearers: ReadonlySet<string>, entry?: Entry, cause?: FrameRequest) {
        if (entry === undefined) return false;
        let hasReplied = false;
        for (const [account, { told }] of sessions) {
          if (!isToldTo(to, account) || !('length' in to || hearers.has(account))) continue;
          told.push(entry);
          hasReplied ||= cause?.caller.account === account;
        }
        return hasReplied;
      }
      override answer() {
        // Beside what is told.
      }
    }
    const registry = new Registry();
    const logger = createLogger('test', 'silent');
    const teller = new Told(...tellerParts(this.cursor, registry));
    this.streams = new Streams(this.database, teller, this.bus, logger);
    const metrics = new StreamsMetrics(registry, this.streams);
    this.cursor.advance(this.database.completeUntil);
    this.catchUp = new CatchUp(this.streams, this.database, this.commits, this.cursor, metrics, logger);
    this.catchUp.onApplicationBootstrap();
  }

  enter(account: string) {
    if (this.sessions.has(account) || this.entering.has(account)) return;
    this.entering.add(account);
    const committedFirst = this.database.size;
    const request = requestOf(account);
    this.streams.enter(account).then(
      () => {
        this.entering.delete(account);
        this.sessions.set(account, { committedFirst, committedBefore: this.database.size, told: [], request });
      },
      () => this.entering.delete(account),
    );
  }

  leave(account: string) {
    if (this.sessions.delete(account)) this.streams.leave(account);
  }

  /** Somebody writes who is connected nowhere here. @param isOurs whether this instance commits it */
  write(isOurs: boolean) {
    this.commit(conversation, isOurs, (seq) => messageAt(seq, 'zoe'));
  }

  /** On a connection here. */
  writeHere(sender: string) {
    const request = this.sessions.get(sender)?.request;
    const { hears, follows } = this.database.membershipOf(sender);
    if (request === undefined || !hears || follows) return;
    const entry = this.commit(conversation, true, (seq) => messageAt(seq, sender), { cause: request });
    this.written.push({ entry, sender });
  }

  /** What was written here is sent again. */
  repeat(which: number) {
    const written = this.written.filter(({ sender }) => this.sessions.has(sender));
    const { entry, sender } = written[which % Math.max(1, written.length)] ?? {};
    const request = this.sessions.get(sender ?? '')?.request;
    // As it is read from the database.
    if (entry !== undefined && request !== undefined) this.streams.repeat({ ...entry }, request);
  }

  /** Makes the account a member, and tells it so; who follows the conversation has heard it all the time. */
  bringIn(account: string, isOurs: boolean) {
    const { hears, follows } = this.database.membershipOf(account);
    if (hears && !follows) return;
    const change = follows ? {} : { joins: [account], told: tellsOf(account) };
    this.commit(conversation, isOurs, (seq) => changeAt(conversation, seq, change), { newMembers: [account] });
  }

  /** Takes the account out, whether it is a member or follows the conversation, and tells it so. */
  takeOut(account: string, isOurs: boolean) {
    if (!this.database.membershipOf(account).hears) return;
    const change = { leaves: [account], told: tellsOf(account) };
    this.commit(conversation, isOurs, (seq) => changeAt(conversation, seq, change));
  }

  /** Follows the conversation, or does so no more. */
  follow(account: string, isOurs: boolean) {
    const { hears, follows } = this.database.membershipOf(account);
    if (hears && !follows) return;
    this.database.setFollows(account, !follows);
    const look = { account, stream: conversation };
    const arrive = isOurs
      ? () => void this.streams.lookAgain([look]).catch(() => undefined)
      : () => {
          this.bus.bring(account, { kind: 'look', ...look, again: true });
        };
    this.coming.push({ isSure: isOurs, arrive });
  }

  /** Something in the stream of the account itself. */
  tellItself(account: string, isOurs: boolean) {
    this.commit(account, isOurs, (seq) => changeAt(account, seq, { told: tellsOf(account) }));
  }

  answer(which: number) {
    this.database.settle(which, 'answer');
  }

  refuse(which: number) {
    this.database.settle(which, 'refuse');
  }

  arrive(which: number) {
    const [way] = this.coming.splice(which % Math.max(1, this.coming.length), 1);
    way?.arrive();
  }

  /** What others have published, and is on its way. */
  loseHints() {
    this.coming.splice(0, Infinity, ...this.coming.filter(({ isSure }) => isSure));
  }

  lookAgain() {
    jest.advanceTimersByTime(lookedAgainMs);
  }

  passTime() {
    this.database.passTime();
  }

  /** Nothing fails any more, and all that is under way comes to its end. */
  async settle(): Promise<void> {
    this.loseHints();
    while (this.coming.length > 0) this.arrive(0);
    // The second look finds what the first has come upon.
    for (let looks = 0, completed = 0; completed < 3; looks += 1) {
      if (looks > 100) throw new Error('it does not come to rest');
      for (let quietTurns = 0; quietTurns < 3; quietTurns += 1) {
        if (this.database.settle(0, 'answer')) quietTurns = -1;
        await turn();
      }
      if (this.cursor.reached.getTime() === this.database.completeUntil.getTime()) completed += 1;
      this.lookAgain();
    }
  }

  end() {
    this.catchUp.onModuleDestroy();
  }

  /** What is wrong with what was told. @param isSettled whether all has to have been told */
  faults(isSettled: boolean): string[] {
    const faults: string[] = [];
    for (const [account, session] of this.sessions) {
      const { told } = session;
      for (const stream of [conversation, account]) {
        const places = told.filter((entry) => entry.stream === stream).map(({ seq }) => seq);
        if (places.some((seq, i) => seq <= (places[i - 1] ?? 0)))
          faults.push(`${account} is told of ${stream}: ${places.join(' ')}`);
      }
      for (const entry of told)
        if (!('told' in entry) && !this.mayHear(account, entry)) faults.push(`${account} hears ${entry.seq}`);
      if (!isSettled) continue;
      for (const { stream, seq } of this.owed(account, session))
        if (!told.some((entry) => entry.stream === stream && entry.seq === seq))
          faults.push(`${account} is not told of ${stream} ${seq}`);
    }
    return faults;
  }

  /** Who no longer follows the conversation may hear it until an entry takes it out: no place says where it ended. */
  private mayHear(account: string, { seq }: Entry): boolean {
    let may = this.database.membershipOf(account).hears;
    for (const { commit, before, after } of this.database.historyOf(account)) {
      if (after.hears) may = true;
      else if (before.hears === after.hears ? after.leftSeq !== before.leftSeq : 'entry' in commit) may = false;
      if ('entry' in commit && commit.entry.stream === conversation && commit.entry.seq === seq) return may;
    }
    return false;
  }

  /**
   * What the account has to be told of what was committed since it connected: of its own stream all; of the conversation all until it
   * is taken out, and all since it came to it for the last time. It may have been in between without a hint, and without the database
   * being asked. Where it ceases to follow the conversation, what came last need not be told.
   */
  private owed(account: string, { committedFirst, committedBefore }: Session): Entry[] {
    const owed: Entry[] = [];
    let heard: { isSinceBefore: boolean; entries: Entry[] } = { isSinceBefore: true, entries: [] };
    for (const [n, { commit, before, after }] of this.database.historyOf(account).entries()) {
      if (!before.hears && after.hears) heard = { isSinceBefore: n < committedFirst, entries: [] };
      const entry =
        'entry' in commit && n >= committedBefore && isFor(account, commit.entry) ? commit.entry : undefined;
      if (entry?.stream === account) owed.push(entry);
      else if (entry !== undefined && (before.hears || after.hears)) heard.entries.push(entry);
      if (!before.hears || after.hears) continue;
      if ('entry' in commit && heard.isSinceBefore) owed.push(...heard.entries);
      heard = { isSinceBefore: false, entries: [] };
    }
    return [...owed, ...heard.entries];
  }

  private commit(
    stream: string,
    isOurs: boolean,
    of: (seq: number) => Entry,
    { newMembers = [], cause }: { newMembers?: readonly string[]; cause?: FrameRequest } = {},
  ): Entry {
    const told = isOurs ? this.commits.begin() : undefined;
    const entry = this.database.append(stream, of, newMembers);
    if (told !== undefined) {
      const arrive = () => {
        this.streams.add(entry, cause);
        told();
      };
      this.coming.push({ isSure: true, arrive });
      return entry;
    }
    const hints: { topic: string; what: object }[] = [{ topic: stream, what: { kind: 'entries', entries: [entry] } }];
    if ('told' in entry)
      for (const account of entry.joins) hints.push({ topic: account, what: { kind: 'look', account, stream } });
    for (const { topic, what } of hints) {
      const arrive = () => {
        this.bus.bring(topic, what);
      };
      this.coming.push({ isSure: false, arrive });
    }
    return entry;
  }
}

/** Goes on where whatever can has gone on. */
export const turn = () => new Promise(setImmediate);

function requestOf(account: string): FrameRequest {
  const request: FrameRequest = Object.create(FrameRequest.prototype, { caller: { value: { account } } });
  return request;
}

function messageAt(seq: number, sender: string): Entry {
  return { stream: conversation, seq, message: { id: `m${seq}`, sender, recipient: null, content: '', sentAt: '' } };
}

function changeAt(stream: string, seq: number, change: Partial<ChangeEntry>): Entry {
  return { told: [], joins: [], leaves: [], ...change, stream, seq };
}

function tellsOf(account: string): ChangeEntry['told'] {
  return [{ type: 'conversation-removed', payload: { id: conversation }, to: [account] }];
}

function isFor(account: string, entry: Entry): boolean {
  return !('told' in entry) || entry.told.some(({ to }) => isToldTo(to, account));
}
