import { storable } from '@waggle/service';

/** Only attacks produce longer texts, because an operation has at most 64 KiB. */
const maxTextLength = 512 * 1_024;

/** A change of a text: `before`, at about position `at`, becomes `after`. */
interface Hunk {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

const header = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@$/;

/**
 * Parses a patch of the diff-match-patch library, in which characters are escaped as in URIs. Clients may send one instead of the whole
 * text of an edit.
 *
 * @returns undefined for any other text
 */
export function findHunks(text: string): readonly Hunk[] | undefined {
  if (!text.startsWith('@@ -')) return undefined;
  const hunks: { at: number; before: string; after: string }[] = [];
  for (const line of text.split('\n')) {
    const [, at, length] = header.exec(line) ?? [];
    const hunk = hunks.at(-1);
    if (at !== undefined) hunks.push({ at: Number(at) - (length === '0' ? 0 : 1), before: '', after: '' });
    else if (line === '' || hunk === undefined) continue;
    else if (!addLine(hunk, line)) return undefined;
  }
  return hunks.length > 0 ? hunks : undefined;
}

/** @returns undefined if the hunks do not match the text, or the result would be too long */
export function applyHunks(text: string, hunks: readonly Hunk[]): string | undefined {
  let patched = text;
  let drift = 0;
  for (const { at, before, after } of hunks) {
    const found = nearest(patched, before, at + drift);
    if (found === undefined) return undefined;
    patched = patched.slice(0, found) + after + patched.slice(found + before.length);
    if (patched.length > maxTextLength) return undefined;
    drift = found - at;
  }
  return patched;
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
    return storable(decodeURI(text));
  } catch {
    return undefined;
  }
}

/** Positions are approximate: clients count characters outside the basic plane differently. */
function nearest(text: string, part: string, at: number): number | undefined {
  const after = text.indexOf(part, Math.max(0, at));
  const before = at < 0 ? -1 : text.lastIndexOf(part, at);
  if (after < 0 || before < 0) return after < 0 && before < 0 ? undefined : Math.max(after, before);
  return after - at < at - before ? after : before;
}
