import { createLogger, Registry } from '@waggle/service';
import * as fc from 'fast-check';
import { Pool } from 'pg';
import { Connections } from '../realtime/connections';
import { RealtimeMetrics } from '../realtime/realtime.metrics';
import { type Bus } from './bus';
import { Cursor } from './cursor';
import { type ChatEvent, type ChangeEntry, type Entry } from './entry';
import { Streams } from './streams';
import { type Commits, StreamsStore, type Hearing } from './streams.store';
import { Teller } from './teller';

/** So many random runs; `STREAMS_RUNS=20000` is the long form, `STREAMS_SEED` repeats one. */
const runs = Number(process.env['STREAMS_RUNS'] ?? 1_500);
const seed = Number(process.env['STREAMS_SEED'] ?? Date.now() % 2 ** 31);

const accounts = ['alice', 'bob', 'carol'];
/** The conversation of them all; beside it each has the stream of its own account. */
const conversation = 'c';

/** What was committed, by all instances, in its order. What is asked is read at once, and answered or refused when the test says so. */
class Database extends StreamsStore {
  readonly committed: Entry[] = [];
  private readonly underWay: { answer: () => void; refuse: () => void }[] = [];

  commit(stream: string, of: (seq: number) => Entry): Entry {
    const entry = of(this.lastSeq(stream) + 1);
    this.committed.push(entry);
    return entry;
  }

  /** Whether the account may hear what is at that place. */
  mayHear(account: string, { stream, seq }: { stream: string; seq: number }): boolean {
    return stream === account || this.standing(account, seq).hears;
  }

  /** @returns whether something was under way */
  settle(which: number, how: 'answer' | 'refuse'): boolean {
    const [asked] = this.underWay.splice(which % Math.max(1, this.underWay.length), 1);
    asked?.[how]();
    return asked !== undefined;
  }

  /** The first of them is in the conversation from the start. */
  standing(account: string, seq = Infinity): { hears: boolean; joinedSeq: number } {
    let standing = { hears: account === accounts[0], joinedSeq: 0 };
    for (const entry of this.committed) {
      if (entry.stream !== conversation || entry.seq > seq || !('told' in entry)) continue;
      if (entry.joins.includes(account)) standing = { hears: true, joinedSeq: entry.seq - 1 };
      if (entry.leaves.includes(account)) standing = { hears: false, joinedSeq: 0 };
    }
    return standing;
  }

  /** The last place at which the account was taken out of the conversation; 0 for none. */
  lastOut(account: string, stream: string): number {
    const isOut = (entry: Entry) => entry.stream === stream && 'told' in entry && entry.leaves.includes(account);
    return this.committed.findLast(isOut)?.seq ?? 0;
  }

  override findHearings([account = '']: readonly string[]): Promise<Hearing[]> {
    return this.ask(() => [
      ...[this.hearing(account, conversation)].filter(({ hears }) => hears),
      { account, stream: account, lastSeq: this.lastSeq(account), joinedSeq: 0, follows: false },
    ]);
  }

  override findHearingsOf(pairs: readonly { account: string; stream: string }[]) {
    return this.ask(() => pairs.map(({ account, stream }) => this.hearing(account, stream)));
  }

  override findEntries(wanted: readonly { stream: string; after: number }[]): Promise<Entry[]> {
    return this.ask(() =>
      wanted.flatMap(({ stream, after }) =>
        this.committed.filter((entry) => entry.stream === stream && entry.seq > after),
      ),
    );
  }

  /** What was committed from that one on. */
  commitsFrom(begin: number): Promise<Commits & { end: number }> {
    return this.ask(() => {
      const recent = this.committed.slice(begin);
      return {
        end: this.committed.length,
        places: recent.map(({ stream, seq }) => ({ stream, seq })),
        looks: recent.flatMap((entry) =>
          'told' in entry ? entry.joins.map((account) => ({ account, stream: entry.stream, again: false })) : [],
        ),
      };
    });
  }

  private hearing(account: string, stream: string): Hearing & { hears: boolean } {
    // As the statement answers, which knows conversations alone.
    const standing = stream === conversation ? this.standing(account) : { hears: false, joinedSeq: 0 };
    return { account, stream, lastSeq: this.lastSeq(stream), follows: false, ...standing };
  }

  private lastSeq(stream: string): number {
    return this.committed.filter((entry) => entry.stream === stream).length;
  }

  private ask<T>(read: () => T): Promise<T> {
    const value = read();
    return new Promise((resolve, reject) => {
      this.underWay.push({
        answer: () => {
          resolve(value);
        },
        refuse: () => {
          reject(new Error('Connection terminated'));
        },
      });
    });
  }
}

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

/** What an account has been told since it was connected, how much was committed before, and how much when it began to connect. */
interface Session {
  readonly committedFirst: number;
  readonly committedBefore: number;
  readonly told: Entry[];
}

/** One instance whose accounts come and go, beside others that write to the same database. */
class Instance {
  readonly database = new Database(new Pool());
  private readonly bus = new OpenBus();
  private readonly sessions = new Map<string, Session>();
  private readonly entering = new Set<string>();
  /** Ways on which an entry comes here: told by our own commit, which is sure, or by others, which may be lost. */
  private readonly coming: { isSure: boolean; arrive: () => void }[] = [];
  private readonly streams: Streams;
  private cursor = 0;
  private catchingUp: Promise<void> | undefined;

  constructor() {
    const { sessions } = this;
    class Told extends Teller {
      override tell({ to }: ChatEvent, hearers: Iterable<string>, entry?: Entry) {
        if (entry === undefined) return;
        for (const account of 'length' in to ? to : hearers) sessions.get(account)?.told.push(entry);
      }
    }
    const teller = new Told(new Connections(), new Cursor(), new RealtimeMetrics(new Registry(), new Connections()));
    this.streams = new Streams(this.database, teller, this.bus, createLogger('test', 'silent'));
  }

  enter(account: string) {
    if (this.sessions.has(account) || this.entering.has(account)) return;
    this.entering.add(account);
    const committedFirst = this.database.committed.length;
    this.streams.enter(account).then(
      () => {
        this.entering.delete(account);
        this.sessions.set(account, { committedFirst, committedBefore: this.database.committed.length, told: [] });
      },
      () => this.entering.delete(account),
    );
  }

  leave(account: string) {
    if (this.sessions.delete(account)) this.streams.leave(account);
  }

  /** @param isOurs whether this instance commits it */
  write(isOurs: boolean) {
    this.commit(conversation, isOurs, (seq) => ({
      stream: conversation,
      seq,
      message: { id: `m${seq}`, sender: 'zoe', recipient: 'all', content: '', sentAt: '' },
    }));
  }

  /** Takes the account into the conversation or out of it, and tells it so. */
  change(account: string, isOurs: boolean) {
    const isMember = this.database.standing(account).hears;
    this.commit(conversation, isOurs, (seq) => ({
      stream: conversation,
      seq,
      told: [{ type: 'conversation-removed', payload: { id: conversation }, to: [account] }],
      joins: isMember ? [] : [account],
      leaves: isMember ? [account] : [],
    }));
  }

  /** Something in the stream of the account itself. */
  tellItself(account: string, isOurs: boolean) {
    const told = [{ type: 'conversation-removed', payload: { id: '' }, to: [account] }] as const;
    this.commit(account, isOurs, (seq) => ({ stream: account, seq, told, joins: [], leaves: [] }));
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

  /** What others have published, and is under way. */
  loseHints() {
    this.coming.splice(0, Infinity, ...this.coming.filter(({ isSure }) => isSure));
  }

  /** Our own commits that are under way tell of themselves. */
  private hearOwn() {
    for (
      let i = this.coming.findIndex(({ isSure }) => isSure);
      i >= 0;
      i = this.coming.findIndex(({ isSure }) => isSure)
    )
      this.arrive(i);
  }

  /** As CatchUp does. */
  catchUp() {
    this.catchingUp ??= this.lookOnce()
      .catch(() => undefined)
      .finally(() => {
        this.catchingUp = undefined;
      });
  }

  /** Nothing fails any more, and all that is under way comes to its end. */
  async settle(): Promise<void> {
    this.loseHints();
    this.hearOwn();
    for (let quietTurns = 0, turns = 0; quietTurns < 5; turns += 1) {
      if (turns > 1_000) throw new Error('it does not come to rest');
      quietTurns = this.database.settle(0, 'answer') || this.catchingUp !== undefined ? 0 : quietTurns + 1;
      if (this.catchingUp === undefined && this.cursor < this.database.committed.length) this.catchUp();
      await turn();
    }
  }

  /** What is wrong with what was told. @param isSettled whether all has to have been told */
  faults(isSettled: boolean): string[] {
    const faults: string[] = [];
    for (const [account, session] of this.sessions) {
      const { told } = session;
      for (const stream of [conversation, account]) {
        // Up to where it was taken out it may be told again: the stream is opened anew for another that came before that.
        const ofIt = told.filter(
          (entry) => entry.stream === stream && entry.seq > this.database.lastOut(account, stream),
        );
        if (ofIt.some(({ seq }, i) => seq <= (ofIt[i - 1]?.seq ?? 0)))
          faults.push(`${account} is told of ${stream}: ${ofIt.map(({ seq }) => seq).join(' ')}`);
      }
      for (const entry of told)
        if (!('told' in entry) && !this.database.mayHear(account, entry)) faults.push(`${account} hears ${entry.seq}`);
      if (!isSettled) continue;
      for (const { stream, seq } of this.owed(account, session))
        if (!told.some((entry) => entry.stream === stream && entry.seq === seq))
          faults.push(`${account} is not told of ${stream} ${seq}`);
    }
    return faults;
  }

  /**
   * What the account has to be told of what was committed since it connected: of its own stream all, of the conversation all until it
   * is taken out, and all since it was taken in for the last time. It may have been in between without a hint, and without the database
   * being asked.
   */
  private owed(account: string, { committedFirst, committedBefore }: Session): Entry[] {
    const owed: Entry[] = [];
    let isIn = account === accounts[0];
    /** Whether it has been in since before it began to connect. */
    let wasIn = isIn;
    let sinceJoined: Entry[] = [];
    this.database.committed.forEach((entry, n) => {
      const { joins, leaves } = 'told' in entry ? entry : noChange;
      if (joins.includes(account)) {
        isIn = true;
        wasIn = n < committedFirst;
      }
      const concernsIt = entry.stream === account || (isIn && (!('told' in entry) || isFor(account, entry)));
      if (n >= committedBefore && concernsIt) (entry.stream === account || wasIn ? owed : sinceJoined).push(entry);
      if (leaves.includes(account)) {
        isIn = false;
        wasIn = false;
        sinceJoined = [];
      }
    });
    return [...owed, ...sinceJoined];
  }

  private commit(stream: string, isOurs: boolean, of: (seq: number) => Entry) {
    const entry = this.database.commit(stream, of);
    const arrive = isOurs
      ? () => {
          this.streams.add(entry);
        }
      : () => {
          this.bus.bring(stream, { kind: 'entries', entries: [entry] });
        };
    this.coming.push({ isSure: isOurs, arrive });
    if (!('told' in entry) || isOurs) return;
    for (const account of entry.joins) {
      const look = { kind: 'look', account, stream };
      this.coming.push({
        isSure: false,
        arrive: () => {
          this.bus.bring(account, look);
        },
      });
    }
  }

  private async lookOnce(): Promise<void> {
    const { end, places, looks } = await this.database.commitsFrom(this.cursor);
    await this.streams.learn({ places, looks });
    for (let missing = this.streams.missing(); missing.length > 0; missing = this.streams.missing()) {
      const found = await this.database.findEntries(missing);
      this.hearOwn();
      this.streams.fill(missing, found);
      if (found.length === 0) break;
    }
    if (this.streams.haveTold(places)) this.cursor = end;
  }
}

const noChange: Pick<ChangeEntry, 'joins' | 'leaves'> = { joins: [], leaves: [] };

const turn = () => new Promise(setImmediate);

function isFor(account: string, { told }: ChangeEntry): boolean {
  return told.some(({ to }) => 'length' in to && to.includes(account));
}

interface Action {
  act: (instance: Instance) => void;
  /** As a failed run shows it. */
  toString: () => string;
}

type ActionName = {
  [Name in keyof Instance]: Instance[Name] extends (...args: never[]) => void ? Name : never;
}[keyof Instance];

function action<Name extends ActionName>(
  weight: number,
  name: Name,
  args: fc.Arbitrary<Parameters<Instance[Name]>>,
): fc.WeightedArbitrary<Action> {
  const arbitrary = args.map((values) => ({
    act: (on: Instance) => {
      Reflect.apply(on[name], on, values);
    },
    toString: () => `${name}(${values.join(', ')})`,
  }));
  return { weight, arbitrary };
}

const account = fc.constantFrom(...accounts);
const isOurs = fc.boolean();
const which = fc.nat({ max: 9 });
const none = fc.constant<[]>([]);
const actions = fc.array(
  fc.oneof(
    action(3, 'enter', fc.tuple(account)),
    action(1, 'leave', fc.tuple(account)),
    action(2, 'write', fc.tuple(isOurs)),
    action(3, 'change', fc.tuple(account, isOurs)),
    action(1, 'tellItself', fc.tuple(account, isOurs)),
    action(4, 'arrive', fc.tuple(which)),
    action(1, 'loseHints', none),
    action(2, 'catchUp', none),
    action(8, 'answer', fc.tuple(which)),
    action(1, 'refuse', fc.tuple(which)),
  ),
  { maxLength: 60, size: 'max' },
);

describe('Streams, whatever comes in whatever order', () => {
  const promise =
    'tells each account that is connected what it may hear, all of it, once and in order, and nothing else';
  const test = async () => {
    const property = fc.asyncProperty(actions, async (run) => {
      const instance = new Instance();
      for (const { act } of run) {
        act(instance);
        await turn();
        expect(instance.faults(false)).toEqual([]);
      }
      await instance.settle();
      expect(instance.faults(true)).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs, seed });
  };
  it(promise, test, 60_000 + runs * 20);
});
