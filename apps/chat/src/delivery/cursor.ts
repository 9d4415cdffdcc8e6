import { Injectable } from '@nestjs/common';

/** Validity of a cursor, in milliseconds. Entries are retained for as long. */
export const maxCursorAgeMs = 24 * 60 * 60 * 1_000;

const form = /^t([0-9a-z]{1,10})\.([0-9a-f]{0,8})$/;

/**
 * How far our clock may be ahead of the database's, and the clock of one database ahead of another's, in milliseconds.
 */
const aheadMs = 60_000;

/** A decoded cursor. */
export interface DecodedCursor {
  instant: Date;
  /** The timeline of the database that the instant belongs to. */
  timeline: string;
}

/**
 * The instant before which everything that was committed has been delivered at this instance, by the database's clock.
 */
@Injectable()
export class Cursor {
  /** Before the first poll: earlier than anything that a connection to this process can have missed. */
  private decoded: DecodedCursor = { instant: new Date(Date.now() - aheadMs), timeline: '' };
  private text = toCursor(this.decoded.instant);

  get reached(): Date {
    return this.decoded.instant;
  }

  /** The timeline of the database that it was read from; empty before that. */
  get timeline(): string {
    return this.decoded.timeline;
  }

  /** The cursor for clients, to which it is opaque. */
  get value(): string {
    return this.text;
  }

  /**
   * Moves the cursor to an instant of the database on this timeline. Does nothing if another database has taken over
   * since.
   */
  advance(completeUntil: Date, timeline: string): void {
    if (timeline === this.timeline) this.set({ instant: completeUntil, timeline });
  }

  /** Goes on with another timeline, from an earlier instant: another database has another clock. */
  changeTimeline(timeline: string): void {
    this.set({ instant: new Date(Math.min(this.reached.getTime(), Date.now()) - aheadMs), timeline });
  }

  private set(decoded: DecodedCursor): void {
    this.decoded = decoded;
    this.text = toCursor(decoded.instant, decoded.timeline);
  }
}

/** Decodes a cursor; returns undefined if it is malformed. */
export function parseCursor(cursor: string): DecodedCursor | undefined {
  const [, digits, timeline] = form.exec(cursor) ?? [];
  if (digits === undefined || timeline === undefined) return undefined;
  return { instant: new Date(parseInt(digits, 36)), timeline };
}

/** Encodes an instant of a timeline as a cursor. */
export function toCursor(instant: Date, timeline = ''): string {
  return `t${instant.getTime().toString(36)}.${timeline}`;
}
