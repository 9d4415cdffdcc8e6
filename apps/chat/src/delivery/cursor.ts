import { Injectable } from '@nestjs/common';

/** Validity of a cursor, in milliseconds. Entries are retained for as long. */
export const maxCursorAgeMs = 24 * 60 * 60 * 1_000;

const cursorPattern = /^t([0-9a-z]{1,10})\.([0-9a-f]{0,8})$/;

/**
 * Assumed maximum difference of two clocks, in milliseconds: the clocks of this process and of the database, or the
 * clocks of two databases.
 */
const maxClockSkewMs = 60_000;

/** What a cursor encodes. */
export interface DecodedCursor {
  /** By the clock of the database. */
  instant: Date;
  /** The id of the timeline (see `Timeline`) that the instant belongs to; empty before a timeline was read. */
  timeline: string;
}

/** The time up to which this instance has delivered every commit, by the clock of the database. */
@Injectable()
export class Cursor {
  /** At first, a time before everything that a connection to this instance can miss. */
  private decoded: DecodedCursor = { instant: new Date(Date.now() - maxClockSkewMs), timeline: '' };
  private encoded = toCursor(this.decoded.instant);

  /** The instant of the cursor. */
  get reached(): Date {
    return this.decoded.instant;
  }

  /** The id of the timeline of the cursor; empty before a timeline was read. */
  get timeline(): string {
    return this.decoded.timeline;
  }

  /** The cursor for clients, to which it is opaque. */
  get value(): string {
    return this.encoded;
  }

  /**
   * Moves the cursor to an instant of a timeline. Does nothing if another database has taken over since the
   * instant was read.
   */
  advance(instant: Date, timeline: string): void {
    if (timeline === this.timeline) this.set({ instant, timeline });
  }

  /** Moves the cursor to another timeline, and back in time, since the clock of the new database may be behind. */
  changeTimeline(timeline: string): void {
    this.set({ instant: new Date(Math.min(this.reached.getTime(), Date.now()) - maxClockSkewMs), timeline });
  }

  private set(decoded: DecodedCursor): void {
    this.decoded = decoded;
    this.encoded = toCursor(decoded.instant, decoded.timeline);
  }
}

/** Decodes a cursor; returns undefined if it is malformed. */
export function parseCursor(cursor: string): DecodedCursor | undefined {
  const [, digits, timeline] = cursorPattern.exec(cursor) ?? [];
  if (digits === undefined || timeline === undefined) return undefined;
  return { instant: new Date(parseInt(digits, 36)), timeline };
}

/** Encodes an instant of a timeline as a cursor. */
export function toCursor(instant: Date, timeline = ''): string {
  return `t${instant.getTime().toString(36)}.${timeline}`;
}
