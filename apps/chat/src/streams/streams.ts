import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, RepeatedLine } from '@waggle/service';
import { type FrameRequest } from '../realtime/frame-request';
import { BUS, type Bus } from './bus';
import { eventsOf, isToldTo, type ChatEvent, type Entry } from './entry';
import { hint, type Hint } from './hint';
import { Stream } from './stream';
import { entriesMost, StreamsStore, type Commits, type Hearing } from './streams.store';
import { Teller } from './teller';

/** That it is to be found out whether somebody who is here hears a stream. */
interface Question {
  account: string;
  stream: string;
  presence: Presence;
  /** Greater than that of any that was asked before. */
  number: number;
}

/** The questions about one account and one stream, as long as one is under way. */
interface Looking {
  underWay: number;
  /** Resolves when the last one is answered. */
  known: Promise<void>;
  /** The number of the last that was answered: what was read for an earlier one is older. */
  answered: number;
}

/** An account with connections here. */
interface Presence {
  connections: number;
  streams: Set<string>;
  /** The streams of which it is being found out whether the account hears them. */
  looking: Map<string, Looking>;
  /** Resolves once its streams are heard. */
  ready: Promise<void>;
}

/**
 * The streams that accounts connected here hear. Entries reach them from this instance's own commits, from other instances
 * over the bus, and from the database where both have left something out; each is told once and in order.
 */
@Injectable()
export class Streams {
  private readonly open = new Map<string, Stream>();
  private readonly present = new Map<string, Presence>();
  /** Streams of which something is missing. */
  private readonly gaps = new Set<Stream>();
  /** Entries of this instance that are published at the end of the turn of the event loop, by stream. */
  private unpublished = new Map<string, Entry[]>();
  /** The requests that have caused entries of this instance. */
  private readonly causes = new WeakMap<Entry, FrameRequest>();
  /** Questions so far. */
  private asked = 0;
  private readonly faults: RepeatedLine;
  private readonly untold: RepeatedLine;
  /** Called when a gap appears. */
  onGap: () => void = () => undefined;
  /** Called when an account has its first connection here, and when it has its last no more. */
  onPresence: (account: string, isPresent: boolean) => void = () => undefined;

  constructor(
    private readonly store: StreamsStore,
    private readonly teller: Teller,
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.faults = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot find out who hears a stream');
    });
    this.untold = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot tell an entry of a stream');
    });
    bus.listen((topic, text) => {
      this.hear(topic, hint.parse(JSON.parse(text)));
    });
  }

  get size(): number {
    return this.open.size;
  }

  /** The accounts that are connected here. */
  accounts(): string[] {
    return [...this.present.keys()];
  }

  /** Begins to hear the streams of an account that connects; resolves once nothing of them can be missed. */
  async enter(account: string): Promise<void> {
    let presence = this.present.get(account);
    if (presence === undefined) {
      presence = { connections: 0, streams: new Set(), looking: new Map(), ready: Promise.resolve() };
      this.present.set(account, presence);
      presence.ready = this.hearAll(account, presence);
      this.onPresence(account, true);
    }
    presence.connections += 1;
    try {
      await presence.ready;
    } catch (error) {
      this.leave(account);
      throw error;
    }
  }

  /** One connection of the account is gone. */
  leave(account: string) {
    const presence = this.present.get(account);
    if (presence === undefined) return;
    presence.connections -= 1;
    if (presence.connections > 0) return;
    this.present.delete(account);
    this.onPresence(account, false);
    for (const id of presence.streams) this.close(id, account);
  }

  /** An entry that this instance has committed: told here and published. */
  add(entry: Entry, cause?: FrameRequest) {
    if (cause !== undefined) this.causes.set(entry, cause);
    this.take(entry);
    this.publishLater(entry);
    if (!('told' in entry)) return;
    for (const account of entry.joins) this.publish(account, { kind: 'look', account, stream: entry.stream });
  }

  /** That accounts hear streams from now on, or no longer, which no entry says: they follow a channel, or have followed it. */
  async lookAgain(looks: readonly { account: string; stream: string }[]): Promise<void> {
    await this.look(looks, true);
    for (const look of looks) this.publish(look.account, { kind: 'look', ...look, again: true });
  }

  /**
   * Something that was stored before, for the connection alone that asks for it again. Where the account is still to be told of
   * it here, that is the answer: else it would come before what precedes it.
   */
  repeat(entry: Entry, cause: FrameRequest) {
    const stream = this.open.get(entry.stream);
    if (stream?.hearers.has(cause.caller.account) === true && entry.seq > stream.toldSeq) {
      this.causes.set(stream.heldAt(entry.seq) ?? entry, cause);
      stream.take(entry);
      this.noteGap(stream);
      return;
    }
    for (const event of eventsOf(entry)) this.teller.answer(event, entry, cause);
  }

  /** Something that is not durable, told here and published. @param topic the stream whose hearers it is for */
  mention(topic: string, event: ChatEvent, cause?: FrameRequest) {
    this.teller.tell(event, this.hearersOf(topic), undefined, cause);
    this.publish(topic, { kind: 'mention', event });
  }

  /** What the database has of streams where something was missing, beginning with what comes next. */
  fill(missing: readonly { stream: string; after: number }[], found: readonly Entry[]) {
    const byStream = new Map<string, Entry[]>(missing.map(({ stream }) => [stream, []]));
    for (const entry of found) byStream.get(entry.stream)?.push(entry);
    for (const { stream: id, after } of missing) {
      const stream = this.open.get(id);
      // Opened anew since, or told over the bus: it is asked again.
      if (stream?.toldSeq !== after) continue;
      stream.fill(byStream.get(id) ?? []);
      this.noteGap(stream);
    }
  }

  /** What commits elsewhere have added. */
  async learn({ places, looks }: Commits): Promise<void> {
    for (const { stream, seq } of places) {
      const known = this.open.get(stream);
      known?.expect(seq);
      if (known !== undefined) this.noteGap(known);
    }
    await Promise.all([
      this.look(looks.filter(({ again }) => !again)),
      this.look(
        looks.filter(({ again }) => again),
        true,
      ),
    ]);
  }

  /** Where entries are missing, and after which place. */
  missing(): { stream: string; after: number }[] {
    return Array.from(this.gaps, ({ id, toldSeq }) => ({ stream: id, after: toldSeq }));
  }

  /** Whether everything up to these places was told here to whoever hears it. */
  haveTold(places: Commits['places']): boolean {
    return places.every(({ stream, seq }) => (this.open.get(stream)?.toldSeq ?? seq) >= seq);
  }

  /** The accounts that hear a stream here. */
  hearersOf(id: string): ReadonlySet<string> {
    return this.open.get(id)?.hearers ?? nobody;
  }

  private hear(topic: string, heard: Hint) {
    if (heard.kind === 'entries') for (const entry of heard.entries) this.take(entry);
    else if (heard.kind === 'look') void this.look([heard], heard.again).catch(this.fail);
    else this.teller.tell(heard.event, this.hearersOf(topic));
  }

  private take(entry: Entry) {
    const stream = this.open.get(entry.stream) ?? this.openFor(entry);
    if (stream !== undefined) {
      stream.take(entry);
      this.noteGap(stream);
      return;
    }
    // Nobody here hears it, as far as is known; who has caused it is told all the same.
    const cause = this.causes.get(entry);
    if (cause !== undefined) void this.takeUnheard(entry, cause).catch(this.fail);
  }

  /**
   * The account has come to hear the stream at another instance, and what tells of it is still on its way; or it never does.
   * Until that is known the entry is held, and what comes after it.
   */
  private async takeUnheard(entry: Entry, { caller: { account } }: FrameRequest): Promise<void> {
    const stream = this.reserve(entry.stream);
    stream.take(entry);
    try {
      await this.look([{ account, stream: stream.id }]);
    } finally {
      this.release(stream);
    }
  }

  /** Opens a stream that somebody connected here hears from this entry on. */
  private openFor(entry: Entry): Stream | undefined {
    if (!('told' in entry) || !entry.joins.some((account) => this.present.has(account))) return undefined;
    return this.openAt(entry.stream, entry.seq - 1);
  }

  private readonly tell = (entry: Entry, stream: Stream) => {
    const change = 'told' in entry ? entry : undefined;
    for (const account of change?.joins ?? []) this.hearHere(account, stream);
    this.tellEvents(entry, stream.hearers);
    for (const account of change?.leaves ?? []) this.close(stream.id, account);
  };

  /** An entry that cannot be told, which only a hint can be, must not fail whatever made it its turn: a commit, the end of a socket. */
  private tellEvents(entry: Entry, hearers: ReadonlySet<string>) {
    try {
      for (const event of eventsOf(entry)) this.teller.tell(event, hearers, entry, this.causes.get(entry));
    } catch (error) {
      this.untold.say(error);
    }
  }

  private hearHere(account: string, stream: Stream) {
    const presence = this.present.get(account);
    if (presence === undefined) return;
    presence.streams.add(stream.id);
    stream.hearers.add(account);
  }

  private async hearAll(account: string, presence: Presence): Promise<void> {
    // Twice: what is committed after the second reading finds the streams open.
    const first = await this.store.findHearings([account]);
    const reserved = first.map(({ stream }) => this.reserve(stream));
    try {
      for (const hearing of await this.store.findHearings([account])) {
        if (this.isHere(account, presence)) this.join(hearing);
      }
    } finally {
      // Of those that the account no longer hears, or that could not be read.
      for (const stream of reserved) this.release(stream);
    }
  }

  /** The account hears the stream from its last place on. */
  private join(hearing: Hearing) {
    const { account, stream: id, lastSeq } = hearing;
    const stream = this.open.get(id) ?? this.openAt(id);
    stream.start(lastSeq);
    stream.expect(lastSeq);
    this.hearFrom(hearing, stream);
    // What was read is older than what has been told here: who hears it may have changed since.
    if (stream.lastChangeSeq > lastSeq) void this.look([{ account, stream: id }], true).catch(this.fail);
  }

  /**
   * Resolves once it is known whether the accounts hear the streams, also where somebody else was finding it out already.
   * @param again also of those that hear it as far as is known
   */
  private async look(looks: readonly { account: string; stream: string }[], again = false): Promise<void> {
    const underWay: Promise<void>[] = [];
    const questions: Question[] = [];
    for (const { account, stream } of looks) {
      const presence = this.present.get(account);
      if (presence === undefined || (!again && presence.streams.has(stream))) continue;
      const looking = presence.looking.get(stream);
      if (looking !== undefined && !again) underWay.push(looking.known);
      else questions.push({ account, stream, presence, number: (this.asked += 1) });
    }
    if (questions.length > 0) underWay.push(this.ask(questions));
    await Promise.all(underWay);
  }

  private ask(questions: readonly Question[]): Promise<void> {
    const known = this.lookAt(questions).finally(() => {
      for (const { stream, presence } of questions) {
        const looking = presence.looking.get(stream);
        if (looking !== undefined && (looking.underWay -= 1) === 0) presence.looking.delete(stream);
      }
    });
    for (const { stream, presence } of questions) {
      const { underWay, answered } = presence.looking.get(stream) ?? { underWay: 0, answered: 0 };
      presence.looking.set(stream, { underWay: underWay + 1, answered, known });
    }
    return known;
  }

  private async lookAt(questions: readonly Question[]): Promise<void> {
    await Promise.all(questions.map(({ presence }) => presence.ready));
    const toldBefore = new Map(questions.map(({ stream }) => [stream, this.lastChangeOf(stream)]));
    const hearings = new Map(
      (await this.store.findHearingsOf(questions)).map((each) => [`${each.account} ${each.stream}`, each]),
    );
    const outdated: Question[] = [];
    for (const question of questions) {
      const { account, stream: id } = question;
      const hearing = hearings.get(`${account} ${id}`);
      if (hearing === undefined || !this.counts(question)) continue;
      // What was read is older than a change that has been told here meanwhile. One that was told before, the database has seen or
      // has lost, as one does that takes over from another: then it is right.
      if (this.lastChangeOf(id) > Math.max(hearing.lastSeq, toldBefore.get(id) ?? 0)) outdated.push(question);
      else {
        this.noteAnswered(question);
        if (hearing.hears) await this.admit(hearing, question);
        else this.close(id, account);
      }
    }
    if (outdated.length > 0) await this.lookAt(outdated);
  }

  /**
   * Lets an account hear a stream from where it came to it, and tells it first what others here were told since then: it came
   * at another instance, and the entry that says so may have been told here before it was known, or there is none.
   */
  private async admit(hearing: Hearing, question: Question): Promise<void> {
    const { account, stream: id } = hearing;
    let after = hearing.joinedSeq;
    this.open.get(id)?.start(after);
    // In the same turn as the last look at the place up to which others were told.
    for (let stream = this.open.get(id); stream !== undefined && stream.toldSeq > after; stream = this.open.get(id)) {
      if (stream.hearers.has(account)) return;
      const upTo = stream.toldSeq;
      const entries = await this.store.findEntries([{ stream: id, after }]);
      if (!this.counts(question)) return;
      // That entry itself has let it hear meanwhile.
      if (stream.hearers.has(account)) return;
      for (const entry of entries.filter(({ seq }) => seq <= upTo)) {
        for (const event of eventsOf(entry)) {
          if (isToldTo(event.to, account)) this.teller.tell({ ...event, to: [account] }, [], entry);
        }
      }
      after = entries.length < entriesMost ? upTo : Math.min(entries.at(-1)?.seq ?? upTo, upTo);
    }
    const stream = this.open.get(id) ?? this.openAt(id, after);
    stream.start(after);
    stream.expect(hearing.lastSeq);
    this.hearFrom(hearing, stream);
  }

  private lastChangeOf(id: string): number {
    return this.open.get(id)?.lastChangeSeq ?? 0;
  }

  /** Whether the answer is of use: the account has been here all the time, and nothing that was asked later is known. */
  private counts({ account, stream, presence, number }: Question): boolean {
    return this.isHere(account, presence) && number >= (presence.looking.get(stream)?.answered ?? 0);
  }

  private noteAnswered({ stream, presence, number }: Question) {
    const looking = presence.looking.get(stream);
    if (looking !== undefined) looking.answered = number;
  }

  /** Whether the account has been here all the time since. */
  private isHere(account: string, presence: Presence): boolean {
    return this.present.get(account) === presence;
  }

  /** Where the entry by which the account came has not been told yet, that entry lets it hear, and nothing before. */
  private hearFrom({ joinedSeq, account, follows }: Hearing, stream: Stream) {
    if (follows || stream.toldSeq >= joinedSeq) this.hearHere(account, stream);
    this.noteGap(stream);
  }

  private openAt(id: string, told?: number): Stream {
    const stream = new Stream(id, told, this.tell);
    this.open.set(id, stream);
    this.bus.subscribe([id]);
    return stream;
  }

  private close(id: string, account: string) {
    this.present.get(account)?.streams.delete(id);
    const stream = this.open.get(id);
    if (stream?.hearers.delete(account) === true) this.abandonUnneeded(stream);
  }

  /** Keeps a stream open, and opens it where need be, while it is found out who hears it: until `release`. */
  private reserve(id: string): Stream {
    const stream = this.open.get(id) ?? this.openAt(id);
    stream.reservations += 1;
    return stream;
  }

  private release(stream: Stream) {
    stream.reservations -= 1;
    this.abandonUnneeded(stream);
  }

  /** Where nobody here hears the stream, nor may come to; who has caused what it holds is told. */
  private abandonUnneeded(stream: Stream) {
    if (stream.hearers.size > 0 || stream.reservations > 0) return;
    this.open.delete(stream.id);
    this.gaps.delete(stream);
    this.bus.unsubscribe([stream.id]);
    for (const entry of stream.heldInOrder()) this.tellEvents(entry, nobody);
  }

  private noteGap(stream: Stream) {
    if (!stream.hasGap || !this.open.has(stream.id)) {
      this.gaps.delete(stream);
    } else if (!this.gaps.has(stream)) {
      this.gaps.add(stream);
      this.onGap();
    }
  }

  private readonly fail = (error: unknown) => {
    this.faults.say(error);
  };

  /** All entries of a stream in one turn of the event loop are one hint. */
  private publishLater(entry: Entry) {
    if (this.unpublished.size === 0) setImmediate(this.publishAll);
    const waiting = this.unpublished.get(entry.stream);
    if (waiting === undefined) this.unpublished.set(entry.stream, [entry]);
    else waiting.push(entry);
  }

  private readonly publishAll = () => {
    const { unpublished } = this;
    this.unpublished = new Map();
    for (const [stream, entries] of unpublished) this.publish(stream, { kind: 'entries', entries });
  };

  private publish(topic: string, what: Hint) {
    this.bus.publish(topic, JSON.stringify(what));
  }
}

const nobody: ReadonlySet<string> = new Set();
