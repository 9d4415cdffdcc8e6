import type { SearchHit } from '@waggle/client/browser';

/** Characters before the first match, in UTF-16 units. */
const contextLength = 40;
/** Characters of a snippet, in UTF-16 units. */
const maxLength = 240;

/** A part of a snippet. */
export interface Part {
  text: string;
  isMatch: boolean;
}

/** Returns the text of a hit from shortly before its first match on, in parts. */
export function snippetOf({ content, matches }: Pick<SearchHit, 'content' | 'matches'>): Part[] {
  const begin = beginOf(content, matches[0]?.start ?? 0);
  const end = characterStart(content, Math.min(content.length, begin + maxLength));
  const parts: Part[] = begin > 0 ? [{ text: '… ', isMatch: false }] : [];
  const add = (from: number, to: number, isMatch: boolean): void => {
    if (to > from) parts.push({ text: content.slice(from, to).replace(/\s+/g, ' '), isMatch });
  };
  let added = begin;
  for (const match of matches) {
    if (match.start < added || match.start >= end) continue;
    const matchEnd = Math.min(match.end, end);
    add(added, match.start, false);
    add(match.start, matchEnd, true);
    added = matchEnd;
  }
  add(added, end, false);
  if (end < content.length) parts.push({ text: '…', isMatch: false });
  return parts;
}

/** Where a snippet begins: at a word shortly before its first match. */
function beginOf(content: string, firstMatch: number): number {
  if (firstMatch <= contextLength) return 0;
  const start = firstMatch - contextLength;
  const spaceBeforeWord = content.slice(start, firstMatch).search(/\s\S/);
  return characterStart(content, start + spaceBeforeWord + 1);
}

/** Moves a position out of the middle of a surrogate pair. */
function characterStart(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff;
  return isLowSurrogate ? position - 1 : position;
}
