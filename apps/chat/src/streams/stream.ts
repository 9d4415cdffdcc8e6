import { type ChangeEntry, type Entry } from './entry';

/** Entries that came before their turn, at most: what lies beyond is read from the database when its turn comes. */
const heldMost = 1_000;

/** What a stream does with an entry whose turn has come. */
export type Tell = (entry: Entry, stream: Stream) => void;

/**
 * A stream that accounts connected here hear. Entries come over several ways and in any order; they are told in the
 * order of their places, each once.
 */
export class Stream {
  /** Accounts connected here that hear it. */
  readonly hearers = new Set<string>();
  /** How many are finding out whether somebody hears it: it stays open for them. */
  private reservations = 0;
  /** Came before their turn, by place. */
  private readonly held = new Map<number, Entry>();
  /** The greatest place that is known to exist. */
  private newest = 0;
  /** The place up to which whoever hears it may have changed before it was reserved, whose account is not noted. */
  private lastMoveBefore = 0;
  /** Who has come to hear it or ceased to since it was reserved, and at which place. Most streams never have any. */
  private moves: Map<string, number> | undefined;
  /**
   * Accounts connected here that hear what comes after places that are still to be told, each until an entry takes it out. Most streams
   * never have any.
   */
  private awaited: Map<string, readonly number[]> | undefined;
  /** The place up to which everything was told here, or need not be. Entries are kept until it is known. */
  private told: number | undefined;

  /** @param toldBefore the place up to which everything was told here, or needed not be, when it was open before */
  constructor(
    readonly id: string,
    private readonly toldBefore: number,
    private readonly tell: Tell,
  ) {}

  /** The place up to which everything was told here. */
  get toldSeq(): number {
    return this.told ?? this.toldBefore;
  }

  /** Whether it is known up to which place everything was told, or need not be. */
  get hasBegun(): boolean {
    return this.told !== undefined;
  }

  /** Whether somebody here needs it, or may come to. */
  get isNeeded(): boolean {
    return this.hearers.size > 0 || this.awaited !== undefined || this.reservations > 0;
  }

  /** Whether entries are known to exist that cannot be told yet, since one before them is missing. */
  get hasGap(): boolean {
    return this.told !== undefined && this.newest > this.told;
  }

  /** Whether everything up to this place was told to whoever hears it: nobody does before it begins but those that are awaited. */
  hasTold(seq: number): boolean {
    return this.told === undefined ? this.awaited === undefined : this.told >= seq;
  }

  /**
   * The last place at which the account may have come to hear it or ceased to, as far as that has come here, told already or not: before
   * it was reserved, where anybody has; before it began, at any.
   */
  lastMoveOf(account: string): number {
    return Math.max(this.lastMoveBefore, this.moves?.get(account) ?? 0);
  }

  reserve() {
    this.reservations += 1;
  }

  /** Where nobody else is finding out who hears it, and nobody has said after which place it begins, begins for those that are awaited. */
  release() {
    if (this.reservations === 1) {
      if (this.awaited !== undefined) this.start(Math.min(...[...this.awaited.values()].flat()));
      if (this.moves !== undefined) this.lastMoveBefore = Math.max(this.lastMoveBefore, ...this.moves.values());
      this.moves = undefined;
    }
    this.reservations -= 1;
  }

  /** Where it has not begun yet, begins after this place, or after what was told here when it was open before. */
  start(after: number) {
    if (this.told !== undefined) return;
    this.told = Math.max(after, this.toldBefore);
    this.lastMoveBefore = Math.max(this.lastMoveBefore, this.told);
    // What is left out may have taken out those that were awaited before it: the database says.
    this.takeAwaited(this.told - 1);
    this.forgetTold();
    this.tellHeld();
  }

  /** The account hears it from now on: beginning with the entry that is being told, if one is. */
  addHearer(account: string) {
    this.hearers.add(account);
    this.keepAwaited(account, (place) => place > this.toldSeq);
  }

  /** The account hears what comes after the place. */
  await(account: string, after: number) {
    this.awaited ??= new Map();
    const places = this.awaited.get(account) ?? [];
    if (!places.includes(after)) this.awaited.set(account, [...places, after]);
  }

  /** Whether the account hears what comes after a place that is still to be told. */
  awaits(account: string): boolean {
    return (this.awaited?.get(account) ?? []).some((place) => place >= this.toldSeq);
  }

  /** The account does not hear what comes after this place, or after any beyond it. */
  awaitNoMore(account: string, from = 0) {
    this.keepAwaited(account, (place) => place < from);
  }

  /** Those that hear what comes after this place: for that they are awaited no more. */
  takeAwaited(seq: number): readonly string[] {
    if (this.awaited === undefined) return [];
    return [...this.awaited.keys()].filter((account) => this.keepAwaited(account, (place) => place > seq));
  }

  /** Tells the entry, and those that waited for it, if its turn has come; keeps it else. What was told is left out. */
  take(entry: Entry) {
    this.expect(entry.seq);
    if ('told' in entry) this.noteMoves(entry);
    if (entry.seq <= this.toldSeq) return;
    // The first that came is kept: the request that caused it is known by it.
    const isNew = !this.held.has(entry.seq) && (this.held.size < heldMost || entry.seq === this.toldSeq + 1);
    if (isNew) this.held.set(entry.seq, entry);
    this.tellHeld();
  }

  /**
   * Tells what the database has after the place up to which everything was told, all of it or the first of it. Places are
   * committed in their order, so one that is left out there is one that is no longer there.
   */
  fill(entries: readonly Entry[]) {
    // What has come meanwhile is still known to exist.
    if (entries.length === 0) this.newest = Math.max(this.toldSeq, ...this.held.keys());
    for (const entry of entries) {
      if (entry.seq > this.toldSeq) this.told = entry.seq - 1;
      this.take(entry);
    }
    this.forgetTold();
  }

  /** What waits for its turn at this place. */
  heldAt(seq: number): Entry | undefined {
    return this.held.get(seq);
  }

  /** What came before its turn. */
  heldInOrder(): Entry[] {
    return [...this.held.values()].sort((one, other) => one.seq - other.seq);
  }

  /** That there are entries up to this place. */
  expect(seq: number) {
    this.newest = Math.max(this.newest, seq);
  }

  /** @returns whether the account was awaited after a place that is not kept */
  private keepAwaited(account: string, isKept: (place: number) => boolean): boolean {
    const places = this.awaited?.get(account) ?? [];
    const kept = places.filter(isKept);
    if (kept.length > 0) this.awaited?.set(account, kept);
    else if (this.awaited?.delete(account) === true && this.awaited.size === 0) this.awaited = undefined;
    return kept.length < places.length;
  }

  private noteMoves({ seq, joins, leaves }: ChangeEntry) {
    for (const account of [...joins, ...leaves]) {
      this.moves ??= new Map();
      this.moves.set(account, Math.max(seq, this.moves.get(account) ?? 0));
    }
  }

  private forgetTold() {
    for (const seq of this.held.keys()) if (seq <= this.toldSeq) this.held.delete(seq);
  }

  private tellHeld() {
    if (this.told === undefined) return;
    for (let next = this.held.get(this.told + 1); next !== undefined; next = this.held.get(this.told + 1)) {
      this.held.delete(next.seq);
      this.told = next.seq;
      this.tell(next, this);
    }
  }
}
