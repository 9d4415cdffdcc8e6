import { LRUCache } from 'lru-cache';
import { type Logger, RepeatedLine } from '@waggle/service';
import { type ChatEvent, type Entry, eventsOf, isToldTo, movesIn } from './entry';
import { type OpenStreams } from './open-streams';
import { type Stream } from './stream';
import { type Hearing, type Standing, type StreamsStore } from './streams.store';

/** An account of which it is to be found out whether it hears a stream. */
export interface Look {
  account: string;
  stream: string;
}

/** A look that is put to the database. */
interface Question extends Look {
  presence: Presence;
  /** Greater than that of any that was asked before. */
  number: number;
}

/** The questions about one account and one stream, as long as one is under way. */
interface Looking {
  underWay: number;
  /** Resolves when the last one is answered and done with. */
  known: Promise<void>;
  /** The number of the last that was answered: an answer to an earlier one, which may be older, no longer counts. */
  answered: number;
}

/** An account with connections here. */
interface Presence {
  connections: number;
  /** The streams that it hears, or is awaited by. */
  streams: Set<string>;
  /** The streams of which it is being found out whether the account hears them. */
  looking: Map<string, Looking>;
  /** The places up to which it heard streams that no entry took it out of. */
  heardBefore?: LRUCache<string, number>;
  /** Resolves once its streams are heard. */
  ready: Promise<void>;
}

/** Of so many streams that an account followed last it is known up to where it heard them. */
const heardBeforeMost = 100;

/** The last places at which accounts have come to hear streams or ceased to, by `keyOf`. */
type Moves = ReadonlyMap<string, number>;

/** The accounts that are connected here, and which streams each of them hears. The database says it, and entries change it. */
export class Audience {
  private readonly present = new Map<string, Presence>();
  /** Questions so far. */
  private asked = 0;
  private readonly faults: RepeatedLine;
  /** Called when an account has its first connection here, and when it has its last no more. */
  onPresence: (account: string, isPresent: boolean) => void = () => undefined;

  constructor(
    private readonly streams: OpenStreams,
    private readonly store: StreamsStore,
    /** Tells an event of an entry that has been told here already. */
    private readonly tellLate: (event: ChatEvent, entry: Entry) => void,
    logger: Logger,
  ) {
    this.faults = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot find out who hears a stream');
    });
  }

  accounts(): string[] {
    return [...this.present.keys()];
  }

  heardBy(accounts: readonly string[]): Look[] {
    return accounts.flatMap((account) =>
      Array.from(this.present.get(account)?.streams ?? [], (stream) => ({ account, stream })),
    );
  }

  has(account: string): boolean {
    return this.present.has(account);
  }

  /** One more connection of the account; resolves once it hears its streams, so that nothing of them can be missed. */
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
    for (const id of presence.streams) this.forget(account, id);
  }

  /** The account, where it is here, hears the stream from now on: beginning with the entry that is being told, if one is. */
  beginHearing(account: string, stream: Stream) {
    const presence = this.present.get(account);
    if (presence === undefined) return;
    presence.streams.add(stream.id);
    stream.addHearer(account);
  }

  /** Those that hear what comes after this place, which nothing else may say, hear the stream. */
  beginHearingAfter(seq: number, stream: Stream) {
    for (const account of stream.takeAwaited(seq)) this.beginHearing(account, stream);
  }

  /** The account, where it is here, hears what comes after a place that is still to be told: the stream stays open for it. */
  await(account: string, stream: Stream, after: number) {
    const presence = this.present.get(account);
    if (presence === undefined || stream.toldSeq > after) return;
    presence.streams.add(stream.id);
    stream.await(account, after);
  }

  /** The account no longer hears the stream; where it is back after a place that is still to be told, it is awaited. */
  endHearing(account: string, stream: Stream) {
    stream.hearers.delete(account);
    if (!stream.awaits(account)) this.forget(account, stream.id);
  }

  /** The account neither hears the stream nor is awaited; it is closed where nobody else needs it. */
  private forget(account: string, id: string) {
    this.present.get(account)?.streams.delete(id);
    const stream = this.streams.find(id);
    if (stream === undefined) return;
    stream.hearers.delete(account);
    stream.awaitNoMore(account);
    this.streams.closeUnneeded(stream);
  }

  /**
   * Resolves once it is known whether the accounts hear the streams. What is being found out already is asked again: its answer may be
   * older than what this look is about.
   * @param again also of those that hear it as far as is known: that may have ended, and no entry says so
   */
  async look(looks: readonly Look[], again = false): Promise<void> {
    const questions: Question[] = [];
    for (const { account, stream } of looks) {
      const presence = this.present.get(account);
      // Its own stream an account always hears.
      if (presence === undefined || stream === account) continue;
      if (!again && this.hearsToTheEnd(account, stream)) continue;
      questions.push({ account, stream, presence, number: (this.asked += 1) });
    }
    if (questions.length > 0) await this.ask(questions);
  }

  /** As `look`, but never rejects: what fails is said. */
  async tryToLook(look: Look, again = false): Promise<void> {
    try {
      await this.look([look], again);
    } catch (error) {
      this.faults.say(error);
    }
  }

  private async hearAll(account: string, presence: Presence): Promise<void> {
    // Twice: what is committed after the second reading finds the streams open.
    const first = await this.store.findHearings([account]);
    const reserved = first.map(({ stream }) => this.streams.reserve(stream));
    try {
      let movesBefore = this.lastMovesOf(first);
      let hearings = await this.store.findHearings([account]);
      while (this.isHere(account, presence)) {
        const outdated = hearings.filter((hearing) => {
          const stream = this.streams.reserve(hearing.stream);
          reserved.push(stream);
          return !this.join(hearing, stream, movesBefore);
        });
        if (outdated.length === 0) return;
        movesBefore = this.lastMovesOf(outdated);
        hearings = (await this.store.findHearingsOf(outdated)).filter(({ hears }) => hears);
      }
    } finally {
      // Of those that the account does not hear, or that could not be read.
      for (const stream of reserved) this.streams.release(stream);
    }
  }

  /** The account hears the stream from its last place on. @returns false where it may not hear it any more: it is to be read again */
  private join(hearing: Hearing, stream: Stream, movesBefore: Moves): boolean {
    this.streams.start(stream, hearing.lastSeq);
    this.streams.expect(stream, hearing.lastSeq);
    // Its own stream an account always hears.
    if (stream.id !== hearing.account && this.isOutdated(hearing, movesBefore)) return false;
    this.hearFrom(hearing, stream);
    return true;
  }

  private ask(questions: readonly Question[]): Promise<void> {
    const reserved = questions.map(({ stream }) => this.streams.reserve(stream));
    const known = this.lookAt(questions).finally(() => {
      for (const stream of reserved) this.streams.release(stream);
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
    // An account whose streams could not be read is here no more.
    await Promise.allSettled(questions.map(({ presence }) => presence.ready));
    const movesBefore = this.lastMovesOf(questions);
    const hearings = new Map((await this.store.findHearingsOf(questions)).map((each) => [keyOf(each), each]));
    const outdated: Question[] = [];
    /** Those that were asked later, and have been answered. */
    const later: Promise<void>[] = [];
    for (const question of questions) {
      const { account, stream: id, presence } = question;
      const hearing = hearings.get(keyOf(question));
      if (hearing === undefined || !this.isHere(account, presence)) continue;
      if (!this.counts(question)) later.push(presence.looking.get(id)?.known ?? Promise.resolve());
      else if (this.isOutdated(hearing, movesBefore)) outdated.push(question);
      else {
        this.noteAnswered(question);
        if (!hearing.hears) this.dismiss(hearing, question);
        else if (!(await this.admit(hearing, question, movesBefore))) outdated.push(question);
      }
    }
    if (outdated.length > 0) await this.lookAt(outdated);
    // What they found may still have to be told, and that may fail.
    await Promise.all(later);
  }

  /**
   * Lets an account hear a stream from where it came to it, and tells it first what others here were told since then: it came
   * at another instance, and the entry that says so may have been told here before it was known, or there is none.
   * @returns false where it may not hear it any more: it is to be read again
   */
  private async admit(hearing: Hearing, question: Question, movesBefore: Moves): Promise<boolean> {
    const { account, stream: id } = hearing;
    const joinedSeq = Math.max(hearing.joinedSeq, question.presence.heardBefore?.get(id) ?? 0);
    const stream = this.streams.findOrOpen(id);
    this.await(account, stream, joinedSeq);
    this.streams.start(stream, joinedSeq);
    this.streams.expect(stream, hearing.lastSeq);
    const missed: Entry[] = [];
    // In the same turn as the last look at the place up to which others were told.
    for (let after = joinedSeq; stream.toldSeq > after;) {
      if (stream.hearers.has(account)) return true;
      const upTo = stream.toldSeq;
      const entries = await this.store.findEntries([{ stream: id, after }]);
      // That entry itself may have let it hear meanwhile.
      if (!this.counts(question) || stream.hearers.has(account)) return true;
      if (this.isOutdated(hearing, movesBefore)) return false;
      missed.push(...entries.filter(({ seq }) => seq <= upTo));
      after = entries.length < this.store.entriesMost ? upTo : Math.min(entries.at(-1)?.seq ?? upTo, upTo);
    }
    if (this.tellMissed(account, missed)) this.hearFrom(hearing, stream);
    return true;
  }

  /** The account does not hear the stream any more, or never has. */
  private dismiss({ account, stream: id, lastSeq, leftSeq }: Standing, { presence }: Question) {
    const stream = this.streams.find(id);
    if (stream === undefined) return;
    if (stream.hasBegun && stream.toldSeq < leftSeq) {
      // It hears up to the entry that takes it out, and nothing after it.
      stream.awaitNoMore(account, leftSeq);
      this.streams.expect(stream, lastSeq);
      return;
    }
    if (stream.hearers.has(account)) {
      presence.heardBefore ??= new LRUCache({ max: heardBeforeMost });
      presence.heardBefore.set(id, stream.toldSeq);
    }
    this.forget(account, id);
  }

  /** @returns whether the account has not been taken out meanwhile */
  private tellMissed(account: string, missed: readonly Entry[]): boolean {
    let isIn = true;
    for (const entry of missed) {
      const { joins, leaves } = movesIn(entry);
      isIn ||= joins.includes(account);
      for (const event of eventsOf(entry)) {
        if (isIn && isToldTo(event.to, account)) this.tellLate({ ...event, to: [account] }, entry);
      }
      isIn &&= !leaves.includes(account);
    }
    return isIn;
  }

  /** Where the place after which the account hears it has not been told yet, it hears nothing before. */
  private hearFrom({ joinedSeq, account }: Hearing, stream: Stream) {
    if (stream.toldSeq >= joinedSeq) this.beginHearing(account, stream);
    else this.await(account, stream, joinedSeq);
  }

  /**
   * Whether the account has come to hear the stream or ceased to after what was read, and that has come here meanwhile. What had come
   * before, the database has seen or has lost, as one does that takes over from another: then what was read is right.
   */
  private isOutdated(hearing: Hearing, movesBefore: Moves): boolean {
    return this.lastMoveOf(hearing) > Math.max(hearing.lastSeq, movesBefore.get(keyOf(hearing)) ?? 0);
  }

  private lastMovesOf(looks: readonly Look[]): Moves {
    return new Map(looks.map((look) => [keyOf(look), this.lastMoveOf(look)]));
  }

  private lastMoveOf({ account, stream }: Look): number {
    return this.streams.find(stream)?.lastMoveOf(account) ?? 0;
  }

  /** Whether the answer is of use: the account has been here all the time, and nothing that was asked later is answered. */
  private counts({ account, stream, presence, number }: Question): boolean {
    return this.isHere(account, presence) && number >= (presence.looking.get(stream)?.answered ?? 0);
  }

  private noteAnswered({ stream, presence, number }: Question) {
    const looking = presence.looking.get(stream);
    if (looking !== undefined) looking.answered = number;
  }

  /** Whether the account hears the stream, and nothing else is known to be in it. */
  private hearsToTheEnd(account: string, id: string): boolean {
    const stream = this.streams.find(id);
    return stream !== undefined && stream.hearers.has(account) && !stream.hasGap;
  }

  /** Whether the account has been here all the time since. */
  private isHere(account: string, presence: Presence): boolean {
    return this.present.get(account) === presence;
  }
}

function keyOf({ account, stream }: Look): string {
  return `${account} ${stream}`;
}
