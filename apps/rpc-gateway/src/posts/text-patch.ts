import { toStorableText } from '@waggle/service';

/**
 * Twice the maximum of an operation, which is also the clients' limit for whole texts. Only patches can produce longer
 * ones.
 */
const maxTextLength = 128 * 1_024;

/**
 * How far from its position a hunk may apply, in UTF-16 code units. The diff-match-patch library has a limit of 500,
 * but positions from clients that count characters outside the basic plane once are further away. The limit bounds the
 * work for a patch of many hunks.
 */
const maxDistance = 4_000;

/** A change of a text: `before`, at about position `at`, becomes `after`. */
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
export function findHunks(text: string): readonly Hunk[] | undefined {
  if (!text.startsWith('@@ -')) return undefined;
  const hunks: { at: number; before: string; after: string }[] = [];
  for (const line of text.split('\n')) {
    const [, at, length] = header.exec(line) ?? [];
    const hunk = hunks.at(-1);
    if (at !== undefined)
      hunks.push({ at: Math.min(Number(at), maxTextLength) - (length === '0' ? 0 : 1), before: '', after: '' });
    else if (line === '' || hunk === undefined) continue;
    else if (!addLine(hunk, line)) return undefined;
  }
  return hunks.length > 0 ? hunks : undefined;
}

/** @returns undefined if the hunks do not match the text, or the result would be too long */
export function applyHunks(text: string, hunks: readonly Hunk[]): string | undefined {
  const added = hunks.reduce((sum, { after }) => sum + after.length, 0);
  const patched = new EditableText(text, text.length + added);
  let drift = 0;
  for (const { at, before, after } of hunks) {
    const found = nearest(patched, before, at + drift);
    if (found === undefined || patched.length - before.length + after.length > maxTextLength) return undefined;
    patched.replace(found, found + before.length, after);
    drift = found - at;
  }
  // An insertion may have split a surrogate pair.
  return toStorableText(patched.slice(0, patched.length));
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

  replace(start: number, end: number, text: string): void {
    this.units.copyWithin(2 * (start + text.length), 2 * end, 2 * this.length);
    this.units.write(text, 2 * start, 'utf16le');
    this.length += text.length - (end - start);
  }
}

function addLine(hunk: { before: string; after: string }, line: string): boolean {
  const text = unescaped(line.slice(1));
  if (text === undefined || !/^[ +-]/.test(line)) return false;
  if (!line.startsWith('+')) hunk.before += text;
  if (!line.startsWith('-')) hunk.after += text;
  return true;
}

function unescaped(text: string): string | undefined {
  try {
    return toStorableText(decodeURI(text));
  } catch {
    return undefined;
  }
}

/** Positions are approximate: clients count characters outside the basic plane differently. */
function nearest(text: EditableText, part: string, at: number): number | undefined {
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
