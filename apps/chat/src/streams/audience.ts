import { isDatabaseUnavailable, type Logger, RepeatedLine } from '@waggle/service';
import { eventsOf, isToldTo } from './entry';
import { type OpenStreams } from './open-streams';
import { type Stream } from './stream';
import { entriesMost, type Hearing, type StreamsStore } from './streams.store';
import { type Teller } from './teller';

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

/** The accounts that are connected here, and which streams each of them hears. The database says it, and entries change it. */
export class Audience {
  private readonly present = new Map<string, Presence>();
  /** Questions so far. */
  private asked = 0;
  /** Looks for which the database could not be asked, by account and stream. */
  private readonly owed = new Map<string, Look>();
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
    for (const id of presence.streams) this.endHearing(account, id);
  }

  /** The account, where it is here, hears the stream from now on: beginning with the entry that is being told, if one is. */
  beginHearing(account: string, stream: Stream) {
    const presence = this.present.get(account);
    if (presence === undefined) return;
    presence.streams.add(stream.id);
    stream.hearers.add(account);
  }

  /** The account no longer hears the stream, which is closed where nobody else needs it. */
  endHearing(account: string, id: string) {
    this.present.get(account)?.streams.delete(id);
    const stream = this.streams.find(id);
    if (stream?.hearers.delete(account) === true) this.streams.closeUnneeded(stream);
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
      if (presence === undefined || (!again && presence.streams.has(stream))) continue;
      const looking = presence.looking.get(stream);
      if (looking !== undefined && !again) underWay.push(looking.known);
      else questions.push({ account, stream, presence, number: (this.asked += 1) });
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

  /** Finds out what is owed. To be called again and again: else who was removed might hear on. */
  async lookAtOwed(): Promise<void> {
    const looks = [...this.owed.values()];
    this.owed.clear();
    await Promise.all(looks.map((look) => this.lookOrOwe(look)));
  }

  /** As `tryToLook` again; where the database cannot be asked it is owed. */
  private async lookOrOwe(look: Look): Promise<void> {
    try {
      await this.look([look], true);
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.owed.set(`${look.account} ${look.stream}`, look);
      this.faults.say(error);
    }
  }

  private async hearAll(account: string, presence: Presence): Promise<void> {
    // Twice: what is committed after the second reading finds the streams open.
    const first = await this.store.findHearings([account]);
    const reserved = first.map(({ stream }) => this.streams.reserve(stream));
    try {
      for (const hearing of await this.store.findHearings([account])) {
        if (this.isHere(account, presence)) this.join(hearing);
      }
    } finally {
      // Of those that the account no longer hears, or that could not be read.
      for (const stream of reserved) this.streams.release(stream);
    }
  }

  /** The account hears the stream from its last place on. */
  private join(hearing: Hearing) {
    const { account, stream: id, lastSeq } = hearing;
    const stream = this.streams.findOrOpen(id);
    stream.start(lastSeq);
    stream.expect(lastSeq);
    this.hearFrom(hearing, stream);
    // What was read is older than what has been told here: who hears it may have changed since, and nothing else says so again.
    if (stream.lastChangeSeq > lastSeq) void this.lookOrOwe({ account, stream: id });
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
        else this.endHearing(account, id);
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
    this.streams.find(id)?.start(after);
    // In the same turn as the last look at the place up to which others were told.
    for (
      let stream = this.streams.find(id);
      stream !== undefined && stream.toldSeq > after;
      stream = this.streams.find(id)
    ) {
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
    const stream = this.streams.findOrOpen(id, after);
    stream.start(after);
    stream.expect(hearing.lastSeq);
    this.hearFrom(hearing, stream);
  }

  /** Where the entry by which the account came has not been told yet, that entry lets it hear, and nothing before. */
  private hearFrom({ joinedSeq, account, follows }: Hearing, stream: Stream) {
    if (follows || stream.toldSeq >= joinedSeq) this.beginHearing(account, stream);
    this.streams.noteGap(stream);
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

  /** Whether the account has been here all the time since. */
  private isHere(account: string, presence: Presence): boolean {
    return this.present.get(account) === presence;
  }
}
