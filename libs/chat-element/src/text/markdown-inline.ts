import { hrefOf, type TextPart, textParts } from './text-parts';

export type Mark = 'strong' | 'em' | 'del';

/** Text, code or a link with the same marks. */
export interface Run extends TextPart {
  marks: readonly Mark[];
  isCode?: true;
  /** What a link shows instead of its address. */
  label?: readonly Run[];
}

/** How many more elements a message may have. */
export interface Budget {
  /** URL of profiles, with `{account}` for the name. */
  profiles: string;
  links: number;
  /** Of all other elements. */
  elements: number;
}

/** An escaped character, or a run of characters that may begin or end marks. */
const delimiter = /\\[*_~`[>]|\*+|_+|(?<!~)~~(?!~)/g;
/** A run of backticks, or a link with a label. */
const codeOrLink = /`+|\[([^[\]\n`]+)\]\((https?:\/\/(?:[^\s<>()`]|\([^\s<>()`]*\))+)\)/giu;

const space = /[\s\u00A0]/u;
const punctuation = /[\p{P}\p{S}]/u;
/** Scripts that write no spaces between words, or particles after them: a mark ends between any two letters. */
const unspaced = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Parses the text of a block: marks, code and links. Marks do not extend over empty lines, which stay. */
export function parseInline(text: string, budget: Budget): Run[] {
  return text
    .split(/(\n\s*\n)/)
    .flatMap((part, index) => (index % 2 === 1 ? [{ text: part, marks: [] }] : parseParagraph(part, budget)));
}

/** Equal characters that may begin or end marks: a «delimiter run» of CommonMark. */
interface Delimiter {
  position: number;
  character: string;
  /** The number of characters, and how many of them are not paired. */
  written: number;
  left: number;
  opens: boolean;
  closes: boolean;
  opened: Mark[];
  closed: Mark[];
}

type Token = Delimiter | Omit<Run, 'marks'>;

function parseParagraph(text: string, budget: Budget): Run[] {
  const tokens = tokensOf(text, budget);
  pairDelimiters(
    tokens.filter((token) => 'written' in token),
    budget,
  );
  return runsOf(tokens);
}

function tokensOf(text: string, budget: Budget): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  const addText = (until: number): void => {
    let from = end;
    for (const part of textParts(text.slice(end, until), budget.profiles, budget.links)) {
      if (part.href === undefined) addDelimiters(tokens, text, from, from + part.text.length);
      else {
        tokens.push(part);
        budget.links -= 1;
      }
      from += part.text.length;
    }
    end = until;
  };
  const found = [...text.matchAll(codeOrLink)];
  /** Index of the last run of backticks of each length: no search goes beyond it. */
  const lastRuns = new Map(found.map(([match], index) => [match, index]));
  let next = 0;
  for (const [index, { 0: match, 1: label, 2: address, index: start }] of found.entries()) {
    if (index < next || text.charAt(start - 1) === '\\') continue;
    let last = index;
    let token: Omit<Run, 'marks'> | undefined;
    if (label !== undefined && address !== undefined) token = labelledLink(label, address, budget);
    else if ((lastRuns.get(match) ?? 0) > index && budget.elements > 0) {
      do last += 1;
      while (found[last]?.[0] !== match);
      token = codeToken(text.slice(start + match.length, found[last]?.index), budget);
    }
    next = last + 1;
    if (token === undefined) continue;
    addText(start);
    tokens.push(token);
    end = (found[last]?.index ?? start) + match.length;
  }
  addText(text.length);
  return tokens;
}

/** Returns undefined for blank code, which stays text. */
function codeToken(written: string, budget: Budget): Omit<Run, 'marks'> | undefined {
  const code = written.replaceAll('\n', ' ');
  if (code.trim() === '') return undefined;
  budget.elements -= 1;
  return { text: /^ .* $/.test(code) ? code.slice(1, -1) : code, isCode: true };
}

/** Returns undefined if the label shows an address or an account, which might not be what the link opens. */
function labelledLink(label: string, address: string, budget: Budget): Omit<Run, 'marks'> | undefined {
  const href = hrefOf(address);
  if (href === undefined || label.trim() === '' || budget.links <= 0) return undefined;
  if (label === address) {
    budget.links -= 1;
    return { text: label, href };
  }
  const labelBudget = { ...budget, links: 0 };
  const runs = parseParagraph(label, labelBudget);
  // Marks in an address do not hide it.
  const shown = runs.map(({ text }) => text).join('');
  if (textParts(shown, budget.profiles).some((part) => part.href !== undefined)) return undefined;
  budget.links -= 1;
  budget.elements = labelBudget.elements;
  return { text: label, href, label: runs };
}

/** Splits the text between two indexes into tokens. */
function addDelimiters(tokens: Token[], text: string, start: number, end: number): void {
  let from = start;
  for (const { 0: match, index } of text.slice(start, end).matchAll(delimiter)) {
    const position = start + index;
    if (position > from) tokens.push({ text: text.slice(from, position) });
    from = position + match.length;
    tokens.push(match.startsWith('\\') ? { text: match.slice(1) } : delimiterAt(text, position, match));
  }
  if (end > from) tokens.push({ text: text.slice(from, end) });
}

function delimiterAt(text: string, position: number, { 0: character = '', length }: string): Delimiter {
  const before = /.?$/su.exec(text.slice(Math.max(0, position - 2), position))?.[0] ?? '';
  const after = String.fromCodePoint(text.codePointAt(position + length) ?? 0x20);
  const isSpace = (neighbor: string) => neighbor === '' || space.test(neighbor);
  const isEdge = (neighbor: string) => isSpace(neighbor) || punctuation.test(neighbor);
  const isBoundary = (neighbor: string) => isEdge(neighbor) || unspaced.test(neighbor);
  const isLeft = !isSpace(after) && (!punctuation.test(after) || isBoundary(before));
  const isRight = !isSpace(before) && (!punctuation.test(before) || isBoundary(after));
  const isWord = character === '_';
  return {
    position,
    character,
    written: length,
    left: length,
    opens: isLeft && (!isWord || !isRight || isEdge(before)),
    closes: isRight && (!isWord || !isLeft || isEdge(after)),
    opened: [],
    closed: [],
  };
}

/**
 * Pairs delimiters that open marks with those that close them, like «process emphasis» of CommonMark. A search that
 * found nothing is not repeated, so the time is linear.
 */
function pairDelimiters(delimiters: readonly Delimiter[], budget: Budget): void {
  const open: Delimiter[] = [];
  const searched = new Map<string, number>();
  for (const closer of delimiters) {
    const kind = `${closer.character}${closer.opens}${closer.written % 3}`;
    while (closer.closes && closer.left > 0 && budget.elements > 0) {
      const bottom = searched.get(kind) ?? -1;
      let index = open.length - 1;
      while ((open[index]?.position ?? -1) > bottom && !canPair(open[index], closer)) index -= 1;
      const opener = open[index];
      if (opener === undefined || opener.position <= bottom) {
        searched.set(kind, open.at(-1)?.position ?? -1);
        break;
      }
      const used = Math.min(2, opener.left, closer.left);
      const mark = closer.character === '~' ? 'del' : used === 2 ? 'strong' : 'em';
      budget.elements -= 1;
      opener.left -= used;
      closer.left -= used;
      opener.opened.push(mark);
      closer.closed.push(mark);
      open.length = opener.left === 0 ? index : index + 1;
    }
    if (closer.opens && closer.left > 0) open.push(closer);
  }
}

function canPair(opener: Delimiter | undefined, closer: Delimiter): boolean {
  if (opener?.character !== closer.character) return false;
  const isAmbiguous = opener.closes || closer.opens;
  return !isAmbiguous || (opener.written + closer.written) % 3 !== 0 || closer.written % 3 === 0;
}

function runsOf(tokens: readonly Token[]): Run[] {
  const runs: Run[] = [];
  const depths = { strong: 0, em: 0, del: 0 };
  let marks: Mark[] = [];
  const addText = (text: string): void => {
    const last = runs.at(-1);
    const isSame = last?.href === undefined && last?.isCode === undefined && last?.marks === marks;
    if (isSame) last.text += text;
    else if (text !== '') runs.push({ text, marks });
  };
  const change = (changed: readonly Mark[], by: number): void => {
    for (const mark of changed) depths[mark] += by;
    if (changed.length > 0) marks = (['strong', 'em', 'del'] as const).filter((mark) => depths[mark] > 0);
  };
  for (const token of tokens) {
    if ('written' in token) {
      change(token.closed, -1);
      addText(token.character.repeat(token.left));
      change(token.opened, 1);
    } else if (token.href === undefined && token.isCode === undefined) addText(token.text);
    else runs.push({ ...token, marks });
  }
  return runs;
}
