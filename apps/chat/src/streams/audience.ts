import { type Logger, RepeatedLine } from '@waggle/service';
import { type ChangeEntry, type Entry, eventsOf, isToldTo } from './entry';
import { type OpenStreams } from './open-streams';
import { type Stream } from './stream';
import { entriesMost, type Hearing, type StreamsStore } from './streams.store';
import { type Teller } from './teller';

const noChange: Pick<ChangeEntry, 'joins' | 'leaves'> = { joins: [], leaves: [] };

/** An account of which it is to be found out whether it hears a stream. */
export interface Look {
  account: string;
  stream: string;
}

/** A look that is put to the database. */
interface Question extends Look {
  /** Whether it may have ended without an entry that says so. */
  again: boolean;
  presence: Presence;
  /** Greater than that of any that was asked before. */
  number: number;
}

/** The questions about one account and one stream, as long as one is under way. */
interface Looking {
  underWay: number;
  /** Resolves when the last one is answered. */
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
  /** Resolves once its streams are heard. */
  ready: Promise<void>;
}

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
    private readonly teller: Teller,
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
    stream.hearers.add(account);
    if (!stream.awaits(account)) stream.awaitNoMore(account);
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
   * Resolves once it is known whether the accounts hear the streams, also where somebody else was finding it out already.
   * @param again also of those that hear it as far as is known
   */
  async look(looks: readonly Look[], again = false): Promise<void> {
    const underWay: Promise<void>[] = [];
    const questions: Question[] = [];
    for (const { account, stream } of looks) {
      const presence = this.present.get(account);
      if (presence === undefined || (!again && this.hearsToTheEnd(account, stream))) continue;
      const looking = presence.looking.get(stream);
      if (looking !== undefined && !again) underWay.push(looking.known);
      else questions.push({ account, stream, again, presence, number: (this.asked += 1) });
    }
    if (questions.length > 0) underWay.push(this.ask(questions));
    await Promise.all(underWay);
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
      let changesBefore = this.lastChangesOf(first);
      let hearings = await this.store.findHearings([account]);
      while (this.isHere(account, presence)) {
        const outdated = hearings.filter((hearing) => {
          const stream = this.streams.reserve(hearing.stream);
          reserved.push(stream);
          return !this.join(hearing, stream, changesBefore);
        });
        if (outdated.length === 0) return;
        changesBefore = this.lastChangesOf(outdated);
        hearings = (await this.store.findHearingsOf(outdated)).filter(({ hears }) => hears);
      }
    } finally {
      // Of those that the account does not hear, or that could not be read.
      for (const stream of reserved) this.streams.release(stream);
    }
  }

  /** The account hears the stream from its last place on. @returns false where it may not hear it any more: it is to be read again */
  private join(hearing: Hearing, stream: Stream, changesBefore: ReadonlyMap<string, number>): boolean {
    this.streams.start(stream, hearing.lastSeq);
    this.streams.expect(stream, hearing.lastSeq);
    // Its own stream an account always hears.
    if (stream.id !== hearing.account && this.isOutdated(hearing, changesBefore)) return false;
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
    const changesBefore = this.lastChangesOf(questions);
    const hearings = new Map(
      (await this.store.findHearingsOf(questions)).map((each) => [`${each.account} ${each.stream}`, each]),
    );
    const outdated: Question[] = [];
    for (const question of questions) {
      const { account, stream: id } = question;
      const hearing = hearings.get(`${account} ${id}`);
      if (hearing === undefined || !this.counts(question)) continue;
      if (this.isOutdated(hearing, changesBefore)) outdated.push(question);
      else {
        this.noteAnswered(question);
        if (hearing.hears) await this.admit(hearing, question);
        // Who was removed from a conversation that is told here is told so by an entry, and hears up to it.
        else if (question.again || this.streams.find(id)?.hasBegun !== true) this.forget(account, id);
      }
    }
    if (outdated.length > 0) await this.lookAt(outdated);
  }

  /**
   * Lets an account hear a stream from where it came to it, and tells it first what others here were told since then: it came
   * at another instance, and the entry that says so may have been told here before it was known, or there is none.
   */
  private async admit(hearing: Hearing, question: Question): Promise<void> {
    const { account, stream: id, joinedSeq } = hearing;
    const stream = this.streams.findOrOpen(id);
    this.streams.start(stream, joinedSeq);
    const missed: Entry[] = [];
    // In the same turn as the last look at the place up to which others were told.
    for (let after = joinedSeq; stream.toldSeq > after;) {
      if (stream.hearers.has(account)) return;
      const upTo = stream.toldSeq;
      const entries = await this.store.findEntries([{ stream: id, after }]);
      if (!this.counts(question)) return;
      // That entry itself has let it hear meanwhile.
      if (stream.hearers.has(account)) return;
      missed.push(...entries.filter(({ seq }) => seq <= upTo));
      after = entries.length < entriesMost ? upTo : Math.min(entries.at(-1)?.seq ?? upTo, upTo);
    }
    const isStillIn = this.tellMissed(account, missed);
    this.streams.expect(stream, hearing.lastSeq);
    if (isStillIn) this.hearFrom(hearing, stream);
  }

  /** @returns whether the account has not been taken out meanwhile */
  private tellMissed(account: string, missed: readonly Entry[]): boolean {
    let isIn = true;
    for (const entry of missed) {
      const { joins, leaves } = 'told' in entry ? entry : noChange;
      isIn ||= joins.includes(account);
      for (const event of eventsOf(entry)) {
        if (isIn && isToldTo(event.to, account)) this.teller.tell({ ...event, to: [account] }, [], entry);
      }
      isIn &&= !leaves.includes(account);
    }
    return isIn;
  }

  /** Where the entry by which the account came has not been told yet, that entry lets it hear, and nothing before. */
  private hearFrom({ joinedSeq, account, follows }: Hearing, stream: Stream) {
    if (follows || stream.toldSeq >= joinedSeq) this.beginHearing(account, stream);
    else this.await(account, stream, joinedSeq);
  }

  /**
   * Whether what was read is older than a change that has come here meanwhile. One that had come before, the database has seen or has
   * lost, as one does that takes over from another: then what was read is right.
   */
  private isOutdated({ stream, lastSeq }: Hearing, changesBefore: ReadonlyMap<string, number>): boolean {
    return this.lastChangeOf(stream) > Math.max(lastSeq, changesBefore.get(stream) ?? 0);
  }

  /** The places of the last changes that have come here. */
  private lastChangesOf(streams: readonly { stream: string }[]): ReadonlyMap<string, number> {
    return new Map(streams.map(({ stream }) => [stream, this.lastChangeOf(stream)]));
  }

  private lastChangeOf(id: string): number {
    return this.streams.find(id)?.lastChangeSeq ?? 0;
  }

  /** Whether the answer is of use: the account has been here all the time, and nothing that was asked later is known. */
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
