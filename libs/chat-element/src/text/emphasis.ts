/** What a pair of delimiters does to the text between them. */
export type Mark = 'strong' | 'em' | 'del';

/** Equal characters that may begin or end marks: a «delimiter run» of CommonMark. */
export interface Delimiter {
  position: number;
  character: string;
  /** The number of characters. */
  written: number;
  /** How many of them are not paired, and so are text. */
  left: number;
  /** Whether the characters around it allow that marks begin here, or end here. */
  opens: boolean;
  closes: boolean;
  /** The marks that do begin and end here, after `pairDelimiters`. */
  opened: Mark[];
  closed: Mark[];
}

const space = /[\s\u00A0]/u;
const punctuation = /[\p{P}\p{S}]/u;
/** Scripts that write no spaces between words, or particles after them: a mark ends between any two letters. */
const unspaced = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Returns the delimiter at a position. It opens before a word and closes after one, as CommonMark says. */
export function delimiterAt(text: string, position: number, { 0: character = '', length }: string): Delimiter {
  const before = /.?$/su.exec(text.slice(Math.max(0, position - 2), position))?.[0] ?? '';
  const after = String.fromCodePoint(text.codePointAt(position + length) ?? 0x20);
  const isBeforeWord = isWordNext(after, before);
  const isAfterWord = isWordNext(before, after);
  // Underscores are also written inside words.
  const isUnderscore = character === '_';
  return {
    position,
    character,
    written: length,
    left: length,
    opens: isBeforeWord && !(isUnderscore && isAfterWord && !isEdge(before)),
    closes: isAfterWord && !(isUnderscore && isBeforeWord && !isEdge(after)),
    opened: [],
    closed: [],
  };
}

/** Whether a word is on one side of a delimiter; punctuation belongs to a word if the other side is none. */
function isWordNext(side: string, otherSide: string): boolean {
  if (isSpace(side)) return false;
  return !punctuation.test(side) || isEdge(otherSide) || unspaced.test(otherSide);
}

function isSpace(character: string): boolean {
  return character === '' || space.test(character);
}

function isEdge(character: string): boolean {
  return isSpace(character) || punctuation.test(character);
}

/**
 * Pairs delimiters that open marks with those that close them: «process emphasis» of CommonMark. A search that found
 * nothing is not repeated, so the time is linear.
 *
 * @returns the number of pairs
 */
export function pairDelimiters(delimiters: readonly Delimiter[], maxPairs: number): number {
  let pairs = 0;
  /** Delimiters that may still be paired. */
  const open: Delimiter[] = [];
  /** By kind of closer: no opener for it is at this position or before. */
  const searched = new Map<string, number>();
  for (const closer of delimiters) {
    const kind = `${closer.character}${closer.opens}${closer.written % 3}`;
    while (closer.closes && closer.left > 0 && pairs < maxPairs) {
      const searchedTo = searched.get(kind) ?? -1;
      const index = open.findLastIndex((each) => each.position <= searchedTo || canPair(each, closer));
      const opener = open[index];
      if (opener === undefined || opener.position <= searchedTo) {
        searched.set(kind, open.at(-1)?.position ?? -1);
        break;
      }
      pair(opener, closer);
      pairs += 1;
      // Delimiters between the two stay text.
      open.length = opener.left === 0 ? index : index + 1;
    }
    if (closer.opens && closer.left > 0) open.push(closer);
  }
  return pairs;
}

function pair(opener: Delimiter, closer: Delimiter): void {
  const used = Math.min(2, opener.left, closer.left);
  const mark = markOf(closer.character, used);
  opener.left -= used;
  closer.left -= used;
  opener.opened.push(mark);
  closer.closed.push(mark);
}

function markOf(character: string, used: number): Mark {
  if (character === '~') return 'del';
  return used === 2 ? 'strong' : 'em';
}

/** Whether two delimiters have the same character and, if one both opens and closes, meet the «rule of 3». */
function canPair(opener: Delimiter, closer: Delimiter): boolean {
  if (opener.character !== closer.character) return false;
  const isAmbiguous = opener.closes || closer.opens;
  return !isAmbiguous || (opener.written + closer.written) % 3 !== 0 || closer.written % 3 === 0;
}
