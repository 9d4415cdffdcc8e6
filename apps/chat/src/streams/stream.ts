import { type Entry } from './entry';

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
  reservations = 0;
  /** Came before their turn, by place. */
  private readonly held = new Map<number, Entry>();
  /** The greatest place that is known to exist. */
  private newest = 0;
  private lastChange: number;
  /** Accounts connected here that hear what comes after a place that is still to be told. Most streams never have any. */
  private awaited: Map<string, number> | undefined;

  /** @param told the place up to which everything was told here, or need not be; else entries are kept until it is known */
  constructor(
    readonly id: string,
    private told: number | undefined,
    private readonly tell: Tell,
  ) {
    this.lastChange = told ?? 0;
  }

  /** The place up to which everything was told here. */
  get toldSeq(): number {
    return this.told ?? 0;
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

  /** The place of the last change that has come here, told already or not; of what came before it began, any may be a change. */
  get lastChangeSeq(): number {
    return this.lastChange;
  }

  /** Where it has not begun yet, begins after this place. */
  start(told: number) {
    if (this.told !== undefined) return;
    this.told = told;
    this.lastChange = Math.max(this.lastChange, told);
    this.forgetTold();
    this.tellHeld();
  }

  /** Where it has not begun yet, and nobody is going to say where, begins with the first that lets somebody hear it. */
  startForAwaited() {
    if (this.awaited !== undefined) this.start(Math.min(...this.awaited.values()));
  }

  /** The account hears what comes after the place. */
  await(account: string, after: number) {
    this.awaited ??= new Map();
    this.awaited.set(account, Math.max(after, this.awaited.get(account) ?? 0));
  }

  /** Whether the account hears what comes after a place that is still to be told. */
  awaits(account: string): boolean {
    return (this.awaited?.get(account) ?? -1) >= this.toldSeq;
  }

  awaitNoMore(account: string) {
    if (this.awaited?.delete(account) === true && this.awaited.size === 0) this.awaited = undefined;
  }

  /** Tells the entry, and those that waited for it, if its turn has come; keeps it else. What was told is left out. */
  take(entry: Entry) {
    this.expect(entry.seq);
    if ('told' in entry) this.lastChange = Math.max(this.lastChange, entry.seq);
    if (this.told !== undefined && entry.seq <= this.told) return;
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
