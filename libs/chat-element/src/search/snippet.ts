import type { SearchHit } from '@waggle/client/browser';

/** Characters before the first match, and of the whole snippet, in UTF-16 units. */
const before = 40;
const maxLength = 240;

/** A part of a snippet. */
export interface Part {
  text: string;
  isMatch: boolean;
}

/** Returns the text of a hit from shortly before its first match on, in parts. */
export function snippetOf({ content, matches }: Pick<SearchHit, 'content' | 'matches'>): Part[] {
  const first = matches[0]?.start ?? 0;
  const begin =
    first <= before ? 0 : wholeFrom(content, first - before + wordStart(content.slice(first - before, first)));
  const end = wholeFrom(content, Math.min(content.length, begin + maxLength));
  const parts: Part[] = begin > 0 ? [{ text: '… ', isMatch: false }] : [];
  const add = (from: number, to: number, isMatch: boolean): void => {
    if (to > from) parts.push({ text: content.slice(from, to).replace(/\s+/g, ' '), isMatch });
  };
  let at = begin;
  for (const { start, end: stop } of matches) {
    if (start < at || start >= end) continue;
    add(at, start, false);
    add(start, Math.min(stop, end), true);
    at = Math.min(stop, end);
  }
  add(at, end, false);
  if (end < content.length) parts.push({ text: '…', isMatch: false });
  return parts;
}

/** Moves a position out of the middle of a character. */
function wholeFrom(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  return unit >= 0xdc00 && unit <= 0xdfff ? position - 1 : position;
}

function wordStart(text: string): number {
  return (/\s\S/.exec(text)?.index ?? -1) + 1;
}
