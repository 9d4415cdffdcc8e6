import { toStorableText } from '../storable-text';

/**
 * Maximum length of a patched text, in UTF-16 code units: twice the limit of clients for a whole text, which is also
 * the maximum size of an operation.
 */
const maxTextLength = 128 * 1_024;

/**
 * Maximum distance from its position at which a hunk applies, in UTF-16 code units. The diff-match-patch library has a
 * limit of 500, but a position from a client that counts characters outside the basic plane once is further away. The
 * limit bounds the work for a patch of many hunks.
 */
const maxDistance = 4_000;

/** A change of a text: `before`, which begins at about index `at`, becomes `after`. */
interface Hunk {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

const header = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@$/;

/**
 * Parses a patch of the diff-match-patch library, which escapes characters as URIs do. Clients may send one instead of
 * the whole text of an edit.
 *
 * @returns undefined for any other text
 */
export function parsePatch(text: string): readonly Hunk[] | undefined {
  if (!text.startsWith('@@ -')) return undefined;
  const hunks: { at: number; before: string; after: string }[] = [];
  for (const line of text.split('\n')) {
    const [, position, length] = header.exec(line) ?? [];
    if (position !== undefined) {
      // Positions count from 1, except those of empty parts, which count from 0.
      const at = Math.min(Number(position), maxTextLength) - (length === '0' ? 0 : 1);
      hunks.push({ at, before: '', after: '' });
      continue;
    }
    const hunk = hunks.at(-1);
    if (hunk === undefined || line === '') continue;
    if (!addLine(hunk, line)) return undefined;
  }
  return hunks.length > 0 ? hunks : undefined;
}

/** Applies hunks to a text. @returns undefined if they do not match the text, or the result would be too long */
export function applyHunks(text: string, hunks: readonly Hunk[]): string | undefined {
  const added = hunks.reduce((sum, { after }) => sum + after.length, 0);
  const patched = new EditableText(text, text.length + added);
  let drift = 0;
  for (const { at, before, after } of hunks) {
    const found = findNearest(patched, before, at + drift);
    if (found === undefined || patched.length - before.length + after.length > maxTextLength) return undefined;
    patched.replace(found, found + before.length, after);
    drift = found - at;
  }
  // An insertion may have split a surrogate pair.
  return toStorableText(patched.toString());
}

/**
 * A text in a buffer. A replacement moves the rest of the text within it, which is much faster than to create another
 * string.
 */
class EditableText {
  length: number;
  private readonly units: Buffer;

  /** @param capacity the maximum length */
  constructor(text: string, capacity: number) {
    this.length = text.length;
    this.units = Buffer.allocUnsafe(2 * capacity);
    this.units.write(text, 'utf16le');
  }

  slice(start: number, end: number): string {
    return this.units.toString('utf16le', 2 * start, 2 * Math.min(end, this.length));
  }

  toString(): string {
    return this.slice(0, this.length);
  }

  replace(start: number, end: number, text: string): void {
    this.units.copyWithin(2 * (start + text.length), 2 * end, 2 * this.length);
    this.units.write(text, 2 * start, 'utf16le');
    this.length += text.length - (end - start);
  }
}

/** Adds a line of a patch to its hunk. @returns false if the line is malformed */
function addLine(hunk: { before: string; after: string }, line: string): boolean {
  const text = unescapeText(line.slice(1));
  if (text === undefined || !/^[ +-]/.test(line)) return false;
  if (!line.startsWith('+')) hunk.before += text;
  if (!line.startsWith('-')) hunk.after += text;
  return true;
}

function unescapeText(text: string): string | undefined {
  try {
    return toStorableText(decodeURI(text));
  } catch {
    return undefined;
  }
}

/**
 * Returns the index of the occurrence of a part that is nearest to an expected index; undefined if it does not occur
 * within `maxDistance`. Expected indexes are approximate, since clients count characters outside the basic plane
 * differently.
 */
function findNearest(text: EditableText, part: string, at: number): number | undefined {
  const expected = Math.min(Math.max(0, at), text.length);
  const start = Math.max(0, expected - maxDistance);
  const nearby = text.slice(start, expected + maxDistance + part.length);
  const middle = expected - start;
  const after = nearby.indexOf(part, middle);
  const before = nearby.lastIndexOf(part, middle);
  if (after < 0 && before < 0) return undefined;
  const isAfter = before < 0 || (after >= 0 && after - middle < middle - before);
  return start + (isAfter ? after : before);
}
