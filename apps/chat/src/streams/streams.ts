import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, RepeatedLine } from '@waggle/service';
import { type FrameRequest } from '../realtime/frame-request';
import { Audience, type Look } from './audience';
import { BUS, type Bus } from './bus';
import { eventsOf, type ChatEvent, type Entry } from './entry';
import { hint, type Hint } from './hint';
import { OpenStreams } from './open-streams';
import { type Stream } from './stream';
import { StreamsStore, type Commits } from './streams.store';
import { Teller } from './teller';

const nobody: ReadonlySet<string> = new Set();

/**
 * The streams that accounts connected here hear. Entries reach them from this instance's own commits, from other instances
 * over the bus, and from the database where both have left something out; each is told once and in order.
 */
@Injectable()
export class Streams {
  private readonly open: OpenStreams;
  private readonly audience: Audience;
  /** Entries of this instance that are published at the end of the turn of the event loop, by stream. */
  private unpublished = new Map<string, Entry[]>();
  /** The requests that have caused entries of this instance. */
  private readonly causes = new WeakMap<Entry, FrameRequest>();
  /** Requests without a reply whose account is not known to be subscribed to the stream of their entry, by `placeOf` the entry. */
  private readonly unanswered = new Map<string, FrameRequest>();
  private readonly untold: RepeatedLine;

  constructor(
    store: StreamsStore,
    private readonly teller: Teller,
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.untold = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot tell an entry of a stream');
    });
    this.open = new OpenStreams(bus, { tell: this.tell, tellUnheard: this.tellUnheard });
    this.audience = new Audience(this.open, store, this.tellLate, logger);
    bus.listen((topic, text) => {
      this.hear(topic, hint.parse(JSON.parse(text)));
    });
  }

  /** Called when a gap appears: something of a stream is missing. */
  set onGap(listener: () => void) {
    this.open.onGap = listener;
  }

  /** Called when an account has its first connection here, and when it has its last no more. */
  set onPresence(listener: (account: string, isPresent: boolean) => void) {
    this.audience.onPresence = listener;
  }

  get size(): number {
    return this.open.size;
  }

  /** The accounts that are connected here. */
  accounts(): string[] {
    return this.audience.accounts();
  }

  /** The accounts that hear a stream here. */
  hearersOf(id: string): ReadonlySet<string> {
    return this.open.find(id)?.hearers ?? nobody;
  }

  /** What the accounts hear here, or are awaited by. */
  heardBy(accounts: readonly string[]): Look[] {
    return this.audience.heardBy(accounts);
  }

  /** Begins to hear the streams of an account that connects; resolves once nothing of them can be missed. */
  enter(account: string): Promise<void> {
    return this.audience.enter(account);
  }

  /** One connection of the account is gone. */
  leave(account: string) {
    this.audience.leave(account);
  }

  /** An entry that this instance has committed: told here and published. */
  add(entry: Entry, cause?: FrameRequest) {
    if (cause !== undefined) this.causes.set(entry, cause);
    this.take(entry);
    this.publishLater(entry);
    if (!('told' in entry)) return;
    for (const account of entry.joins) this.publish(account, { kind: 'look', account, stream: entry.stream });
  }

  /**
   * Something that was stored before, for the connection alone that asks for it again. Where the account is still to be told of
   * it here, that is the answer: else it would come before what precedes it.
   */
  repeat(entry: Entry, cause: FrameRequest) {
    const stream = this.open.find(entry.stream);
    if (stream?.hearers.has(cause.caller.account) === true && entry.seq > stream.toldSeq) {
      this.causes.set(stream.heldAt(entry.seq) ?? entry, cause);
      this.open.take(stream, entry);
      return;
    }
    this.reply(entry, cause);
  }

  /** Something that is not durable, told here and published. @param topic the stream whose hearers it is for */
  mention(topic: string, event: ChatEvent, cause?: FrameRequest) {
    this.teller.tell(event, this.hearersOf(topic), undefined, cause);
    this.publish(topic, { kind: 'mention', event });
  }

  /** That accounts hear streams from now on, or no longer, which no entry says: they follow a channel, or have followed it. */
  async lookAgain(looks: readonly Look[]): Promise<void> {
    await this.audience.look(looks, true);
    for (const look of looks) this.publish(look.account, { kind: 'look', ...look, again: true });
  }

  /** What commits elsewhere have added. */
  async learn({ places, looks }: Commits): Promise<void> {
    for (const { stream, seq } of places) {
      const known = this.open.find(stream);
      if (known !== undefined) this.open.expect(known, seq);
    }
    await Promise.all([
      this.audience.look(looks.filter(({ again }) => !again)),
      this.audience.look(
        looks.filter(({ again }) => again),
        true,
      ),
    ]);
  }

  /** Where entries are missing, and after which place. */
  missing(): { stream: string; after: number }[] {
    return this.open.missing();
  }

  /** What the database has of streams where something was missing, beginning with what comes next. */
  fill(missing: readonly { stream: string; after: number }[], found: readonly Entry[]) {
    this.open.fill(missing, found);
  }

  /** Whether everything up to these places was told here to whoever hears it. */
  haveTold(places: Commits['places']): boolean {
    return places.every(({ stream, seq }) => this.open.find(stream)?.hasTold(seq) ?? true);
  }

  private hear(topic: string, heard: Hint) {
    if (heard.kind === 'entries') for (const entry of heard.entries) this.take(entry);
    else if (heard.kind === 'look') void this.audience.tryToLook(heard, heard.again);
    else this.teller.tell(heard.event, this.hearersOf(topic));
  }

  private take(entry: Entry) {
    const stream = this.open.find(entry.stream) ?? this.openFor(entry);
    if (stream !== undefined && 'told' in entry)
      for (const account of entry.joins) this.audience.await(account, stream, entry.seq - 1);
    const cause = this.causes.get(entry);
    if (cause !== undefined && this.mustLook(cause, stream)) void this.takeUnheard(entry, cause).catch(this.failToTell);
    else if (stream !== undefined) this.open.take(stream, entry);
  }

  /** Opens a stream that somebody connected here hears from this entry on. */
  private openFor(entry: Entry): Stream | undefined {
    if (!('told' in entry) || !entry.joins.some((account) => this.audience.has(account))) return undefined;
    const stream = this.open.findOrOpen(entry.stream);
    stream.start(entry.seq - 1);
    return stream;
  }

  /** Whether somebody here has caused an entry of a stream that they do not hear, as far as is known. */
  private mustLook({ caller: { account } }: FrameRequest, stream: Stream | undefined): boolean {
    return this.audience.has(account) && stream?.hearers.has(account) !== true && stream?.awaits(account) !== true;
  }

  /**
   * The account has come to hear the stream at another instance, and what tells of it is still on its way; or it never does.
   * Where nobody here hears the stream yet, the entry is held until that is known, and what comes after it.
   */
  private async takeUnheard(entry: Entry, cause: FrameRequest): Promise<void> {
    const stream = this.open.reserve(entry.stream);
    this.unanswered.set(placeOf(entry), cause);
    try {
      this.open.take(stream, entry);
      await this.audience.tryToLook({ account: cause.caller.account, stream: stream.id });
    } finally {
      this.open.release(stream);
      const isPending = stream.hearers.has(cause.caller.account) || stream.awaits(cause.caller.account);
      // An account that was removed meanwhile is not delivered the entry; its request gets the reply all the same.
      if (this.unanswered.delete(placeOf(entry)) && !isPending) this.reply(entry, cause);
    }
  }

  /** Delivers the events of an entry to the connection of a request alone. */
  private reply(entry: Entry, request: FrameRequest) {
    for (const event of eventsOf(entry)) this.teller.answer(event, entry, request);
  }

  private readonly tell = (entry: Entry, stream: Stream) => {
    const change = 'told' in entry ? entry : undefined;
    this.audience.beginHearingAfter(entry.seq - 1, stream);
    for (const account of change?.joins ?? []) this.audience.beginHearing(account, stream);
    this.tellEvents(entry, stream.hearers);
    for (const account of change?.leaves ?? []) this.audience.endHearing(account, stream);
    this.audience.beginHearingAfter(entry.seq, stream);
  };

  /** Nobody here hears it: only whom it names is told. */
  private readonly tellUnheard = (entry: Entry) => {
    this.tellEvents(entry, nobody);
  };

  private readonly tellLate = (event: ChatEvent, entry: Entry) => {
    // It hears what follows, too.
    const subscribers = 'length' in event.to ? new Set(event.to) : nobody;
    this.deliver(event, subscribers, entry, this.unanswered.get(placeOf(entry)));
  };

  /** An entry that cannot be told, which only a hint can be, must not fail whatever made it its turn: a commit, the end of a socket. */
  private tellEvents(entry: Entry, hearers: ReadonlySet<string>) {
    try {
      for (const event of eventsOf(entry)) this.deliver(event, hearers, entry, this.causes.get(entry));
    } catch (error) {
      this.failToTell(error);
    }
  }

  private deliver(event: ChatEvent, subscribers: ReadonlySet<string>, entry: Entry, request: FrameRequest | undefined) {
    const hasReplied = this.teller.tell(event, subscribers, entry, request);
    if (hasReplied) this.unanswered.delete(placeOf(entry));
  }

  private readonly failToTell = (error: unknown) => {
    this.untold.say(error);
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

function placeOf({ stream, seq }: Entry): string {
  return `${stream} ${seq}`;
}
