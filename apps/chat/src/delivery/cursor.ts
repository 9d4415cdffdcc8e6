import { Injectable } from '@nestjs/common';

/** A cursor is good for so long: as long as entries are kept. */
export const cursorMostMs = 24 * 60 * 60 * 1_000;

const form = /^t([0-9a-z]{1,10})$/;

/** How far our clock may be ahead of the database's. */
const aheadMs = 60_000;

/** The instant before which everything that was committed has been told at this instance, by the database's clock. */
@Injectable()
export class Cursor {
  /** Nobody was here to be told anything before; until the database has been asked it is a guess that loses nothing. */
  private instant = new Date(Date.now() - aheadMs);
  private text = toCursor(this.instant);

  get reached(): Date {
    return this.instant;
  }

  /** For clients, to whom it is opaque. */
  get value(): string {
    return this.text;
  }

  advance(completeUntil: Date) {
    this.instant = completeUntil;
    this.text = toCursor(completeUntil);
  }
}

/** The instant that a cursor stands for; undefined where it is none. */
export function instantOf(cursor: string): Date | undefined {
  const [, digits] = form.exec(cursor) ?? [];
  return digits === undefined ? undefined : new Date(parseInt(digits, 36));
}

/** The cursor that stands for an instant. */
export function toCursor(instant: Date): string {
  return `t${instant.getTime().toString(36)}`;
}
