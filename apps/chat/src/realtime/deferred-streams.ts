import { type FrameReference } from '@waggle/contracts';
import { type Position } from '../log/entry';
import { type EntryRange, type SeqRange } from '../log/missed.store';
import { type FrameRequest } from './frame-request';
import { type ServerFrame } from './server-frame';

/**
 * Maximum number of ranges of one stream. Leaving and rejoining begins a new range; in a merged range the entries after the rejoin would
 * not be delivered unless an entry of the stream records it, which none does if the account follows a channel.
 */
const maxRanges = 1_000;
/** Maximum number of deferred replies. Replies are the only deferred frames that a client itself causes. */
const maxReplies = 1_000;
/** Maximum number of pending notices. Beyond it the oldest are dropped; the next resume or fetch returns what they announced. */
export const maxNotices = 1_000;

/** A range of sequence numbers to deliver later. */
interface DeferredRange {
  from: number;
  to: number;
  /** Whether the account is subscribed to the stream at `from`. */
  isSubscribed: boolean;
  /** Whether it precedes the connection, which resumes. Such ranges are the first of their stream. */
  isMissed: boolean;
}

/** What is to be read of a stream next: the beginning of its first range. */
interface NextRange extends SeqRange {
  range: DeferredRange;
}

interface DeferredStream {
  readonly ranges: DeferredRange[];
  /** The connection's own requests with a reference, by the sequence number of the entry that replies to them. */
  readonly requests: Map<number, readonly FrameRequest[]>;
  /** Whether the account leaves the stream with the last entry of the last range. */
  hasLeft: boolean;
}

/** A frame that is not stored and belongs to a stream: for all connections of an account, or the reply to a request. */
export interface Notice {
  stream: string;
  /** Sequence number of the entry that it follows; by default the last deferred one. Undefined as long as none is deferred. */
  after?: number | undefined;
  frame: ServerFrame;
  /** A later frame of the same kind and stream replaces it; undefined for the reply to a request of the connection. */
  kind?: string | undefined;
  ref?: FrameReference | undefined;
}

/**
 * What a connection receives later: streams whose entries are not written to it when they happen, but read from the database
 * when it has room for them. Until all of it is delivered, the connection is sent no later cursor, so that a client that loses the
 * connection resumes from there.
 */
export class DeferredStreams {
  private readonly streams = new Map<string, DeferredStream>();
  private readonly notices = new Map<string | symbol, Notice>();
  private replies = 0;

  /**
   * @param cursor everything before it is delivered
   * @param isResuming while the connection resumes, every stream is deferred
   */
  constructor(
    readonly cursor: string,
    readonly isResuming: boolean,
    former?: DeferredStreams,
  ) {
    if (former === undefined) return;
    this.streams = former.streams;
    this.notices = former.notices;
    this.replies = former.replies;
  }

  /** Whether everything is delivered; while the connection resumes, what it has missed. */
  get isDone(): boolean {
    return this.isResuming ? !this.hasMissed : this.streams.size === 0 && this.notices.size === 0;
  }

  private get hasMissed(): boolean {
    return [...this.streams.values()].some(({ ranges }) => ranges[0]?.isMissed === true);
  }

  defersStream(stream: string): boolean {
    return this.isResuming || this.streams.has(stream);
  }

  /**
   * Defers an entry: the next one of its stream, or one that is deferred already, as the reply to a request.
   *
   * @param leaves whether the account leaves the stream with it
   * @returns false if too much is deferred
   */
  add(stream: string, seq: number, request: FrameRequest | undefined, leaves: boolean): boolean {
    const deferred = this.findOrAdd(stream);
    const last = deferred.ranges.at(-1);
    const isDeferred = deferred.ranges.some((range) => range.from <= seq && seq <= range.to);
    if (isDeferred && seq !== last?.to) {
      // The entry is repeated as a reply; the ranges stay in ascending order.
      if (request !== undefined) this.addRequests(deferred, seq, [request]);
      return this.hasRoom(deferred);
    }
    if (last === undefined)
      for (const each of this.notices.values()) if (each.stream === stream) each.after ??= seq - 1;
    if (last === undefined || last.isMissed || (deferred.hasLeft && last.to !== seq)) {
      deferred.ranges.push({ from: seq, to: seq, isSubscribed: true, isMissed: false });
    } else {
      last.to = Math.max(last.to, seq);
    }
    deferred.hasLeft = leaves;
    if (request !== undefined) this.addRequests(deferred, seq, [request]);
    return this.hasRoom(deferred);
  }

  /**
   * Defers entries that others have received, to which the account is subscribed from the first of them on.
   *
   * @returns as `add`
   */
  addRange({ stream, from, to, hasLeft }: EntryRange, requests: ReadonlyMap<number, readonly FrameRequest[]>): boolean {
    const deferred = this.findOrAdd(stream);
    deferred.ranges.push({ from, to, isSubscribed: true, isMissed: false });
    deferred.hasLeft = hasLeft;
    for (const [seq, each] of requests) this.addRequests(deferred, seq, each);
    return this.hasRoom(deferred);
  }

  /** Defers what a connection that resumes has missed of a stream, before what is deferred of it already. Add the last of several ranges first. */
  addMissed({ stream, from, to, hasLeft }: EntryRange) {
    const deferred = this.findOrAdd(stream);
    const { ranges } = deferred;
    const [first] = ranges;
    if (first === undefined) {
      deferred.hasLeft = hasLeft;
      for (const each of this.notices.values()) if (each.stream === stream) each.after ??= to;
    }
    const last = Math.min(to, (first?.from ?? Infinity) - 1);
    if (from <= last) ranges.unshift({ from, to: last, isSubscribed: true, isMissed: true });
  }

  /** Returns the first deferred entry of a stream; undefined if none is deferred. */
  firstOf(stream: string): number | undefined {
    return this.streams.get(stream)?.ranges[0]?.from;
  }

  /** Whether an entry must be deferred: the connection resumes, or the entry or an earlier one of its stream is deferred. */
  defersEntry({ stream, seq }: Position): boolean {
    const ranges = this.streams.get(stream)?.ranges ?? [];
    const last = ranges.at(-1);
    return (
      this.isResuming ||
      (last !== undefined && last.from <= seq) ||
      ranges.some(({ from, to }) => from <= seq && seq <= to)
    );
  }

  /**
   * Returns what is to be read next, of each stream the beginning of its first range; while the connection resumes, of what it has missed.
   *
   * @param maxEntries the number of sequence numbers in all of them
   */
  next(maxEntries: number): NextRange[] {
    const next: NextRange[] = [];
    let left = maxEntries;
    for (const [stream, { ranges }] of this.streams) {
      const [range] = ranges;
      if (range === undefined || (this.isResuming && !range.isMissed)) continue;
      const { from } = range;
      const to = Math.min(range.to, from + left - 1);
      next.push({ stream, from, to, range });
      left -= to - from + 1;
      if (left === 0) break;
    }
    return next;
  }

  /** Lets the other streams go first. */
  putLast(stream: string) {
    const deferred = this.streams.get(stream);
    if (deferred === undefined) return;
    this.streams.delete(stream);
    this.streams.set(stream, deferred);
  }

  /** Removes and returns the requests with a reference that the entry replies to. */
  removeRequests({ stream, seq }: Position): readonly FrameRequest[] {
    const requests = this.streams.get(stream)?.requests;
    const removed = requests?.get(seq) ?? [];
    requests?.delete(seq);
    this.replies -= removed.length;
    return removed;
  }

  /** Everything up to this sequence number is delivered; a stream of which nothing is left is no longer deferred. */
  noteDelivered(stream: string, seq: number) {
    const deferred = this.streams.get(stream);
    if (deferred === undefined) return;
    const { ranges, requests } = deferred;
    while (ranges[0] !== undefined && ranges[0].to <= seq) ranges.shift();
    if (ranges[0] !== undefined) {
      ranges[0].from = Math.max(ranges[0].from, seq + 1);
      return;
    }
    for (const each of requests.values()) this.replies -= each.length;
    this.streams.delete(stream);
  }

  /**
   * Adds a frame that is not stored. A notice replaces an earlier one of its kind and stream; a reply replaces none.
   *
   * @returns as `add`
   */
  addNotice({ stream, frame, kind, ref, after = this.streams.get(stream)?.ranges.at(-1)?.to }: Notice): boolean {
    // Later entries of the stream come behind it.
    const deferred = this.findOrAdd(stream);
    const isReply = kind === undefined;
    const key = isReply ? Symbol('reply') : `${stream} ${kind}`;
    this.notices.delete(key);
    this.notices.set(key, { stream, after, frame, kind, ref });
    if (isReply) this.replies += 1;
    else this.dropOldestNotice();
    return this.hasRoom(deferred);
  }

  /**
   * Adds a notice that a connection that resumes has missed. A newer one of the same kind and stream that is deferred already replaces it;
   * that one is then delivered behind the same entry at the earliest.
   */
  addMissedNotice(stream: string, frame: ServerFrame, kind: string, after: number) {
    const later = this.notices.get(`${stream} ${kind}`);
    if (later === undefined) this.addNotice({ stream, frame, kind, after });
    else if (later.after !== undefined) later.after = Math.max(later.after, after);
  }

  /** Removes and returns the notices that belong before an entry. */
  removeNoticesBefore({ stream, seq }: Position): Notice[] {
    return this.removeNotices((notice) => notice.stream === stream && notice.after !== undefined && notice.after < seq);
  }

  /** Removes and returns the notices behind whose entries nothing is deferred. */
  removeDueNotices(): Notice[] {
    const due = this.removeNotices(({ stream, after }) => {
      const from = this.firstOf(stream);
      return from === undefined || (after !== undefined && after < from);
    });
    for (const [stream, { ranges }] of this.streams) if (ranges.length === 0) this.streams.delete(stream);
    return due;
  }

  /** Adds each request once, although an entry is deferred for each of its events. */
  private addRequests({ requests }: DeferredStream, seq: number, added: readonly FrameRequest[]) {
    const known = requests.get(seq) ?? [];
    const missing = added.filter((request) => request.ref !== undefined && !known.includes(request));
    if (missing.length === 0) return;
    requests.set(seq, [...known, ...missing]);
    this.replies += missing.length;
  }

  /** Drops a notice if there are too many. */
  private dropOldestNotice() {
    if (this.notices.size <= maxNotices) return;
    for (const [key, { kind }] of this.notices) {
      if (kind === undefined) continue;
      this.notices.delete(key);
      return;
    }
  }

  private hasRoom({ ranges }: DeferredStream): boolean {
    // What was missed is limited before it is deferred.
    const hasRoomForRanges =
      ranges.length <= maxRanges || ranges.filter(({ isMissed }) => !isMissed).length <= maxRanges;
    return hasRoomForRanges && this.replies <= maxReplies;
  }

  private findOrAdd(stream: string): DeferredStream {
    const known = this.streams.get(stream);
    if (known !== undefined) return known;
    const added: DeferredStream = { ranges: [], requests: new Map(), hasLeft: false };
    this.streams.set(stream, added);
    return added;
  }

  private removeNotices(isDue: (notice: Notice) => boolean): Notice[] {
    const removed: Notice[] = [];
    for (const [key, notice] of this.notices) {
      if (!isDue(notice)) continue;
      this.notices.delete(key);
      if (notice.kind === undefined) this.replies -= 1;
      removed.push(notice);
    }
    return removed;
  }
}
