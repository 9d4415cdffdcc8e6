import { type EntryRange, type Position } from '../log/entry';

/** What a page of `CatchUp` is to have of one stream. */
export interface PagePart {
  stream: string;
  /** The first sequence number that was not received when the page began. */
  from: number;
  /** The entries to read, which the account may receive. */
  ranges: EntryRange[];
  /** With the page, the connection has received everything before this sequence number. */
  end: number;
  /** Whether the account is not subscribed and receives nothing from `end` on. */
  hasLeft: boolean;
}

/**
 * Returns the part of a page that has the first entries of a stream.
 *
 * @param position the first entry that the connection has not received
 * @param subscribed what the account may receive from there on, in ascending order
 * @param nextLive the next entry that the account receives live, at which the part ends; undefined if it is not
 * subscribed
 * @param maxEntries of the part
 */
export function pagePartOf(
  { stream, seq }: Position,
  subscribed: readonly EntryRange[],
  { nextLive, maxEntries }: { nextLive: number | undefined; maxEntries: number },
): PagePart {
  const last = subscribed.at(-1);
  const ranges: EntryRange[] = [];
  let end = nextLive ?? (last === undefined ? seq : last.to + 1);
  let entriesLeft = maxEntries;
  for (const range of subscribed) {
    const to = Math.min(range.to, end - 1, range.from + entriesLeft - 1);
    if (to < range.from) break;
    ranges.push({ ...range, to });
    entriesLeft -= to - range.from + 1;
    if (entriesLeft > 0) continue;
    end = to + 1;
    break;
  }
  const hasLeft = nextLive === undefined && (last === undefined || (last.hasLeft && last.to < end));
  return { stream, from: seq, ranges, end, hasLeft };
}

export function countEntries(ranges: readonly EntryRange[]): number {
  return ranges.reduce((count, { from, to }) => count + to - from + 1, 0);
}

/**
 * Returns the parts that a page has, if the limit of its size cut it after an entry: the part of this entry ends behind
 * it, and the later parts are missing.
 *
 * @param last the last entry of the page; undefined if it is empty, since all entries of the parts are gone
 */
export function receivedParts(parts: readonly PagePart[], last: Position | undefined): readonly PagePart[] {
  if (last === undefined) return parts;
  const index = parts.findIndex(({ stream }) => stream === last.stream);
  return parts.slice(0, index + 1).map((part, i) => {
    const isCut = i === index && last.seq !== part.ranges.at(-1)?.to;
    return isCut ? { ...part, end: last.seq + 1, hasLeft: false } : part;
  });
}
