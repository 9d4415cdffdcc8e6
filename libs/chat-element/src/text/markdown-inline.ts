import { type Delimiter, delimiterAt, type Mark, pairDelimiters } from './emphasis';
import { hrefOf, type TextPart, textParts } from './text-parts';

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
const escapeOrDelimiter = /\\[*_~`[>]|\*+|_+|(?<!~)~~(?!~)/g;
/** A run of backticks, or a link with a label. */
const codeOrLink = /`+|\[([^[\]\n`]+)\]\((https?:\/\/(?:[^\s<>()`]|\([^\s<>()`]*\))+)\)/giu;

/** Parses the text of a block: marks, code and links. Marks do not extend over empty lines, which stay. */
export function parseInline(text: string, budget: Budget): Run[] {
  return text
    .split(/(\n\s*\n)/)
    .flatMap((part, index) => (index % 2 === 1 ? [{ text: part, marks: [] }] : parseParagraph(part, budget)));
}

/** A delimiter, or a run whose marks are not known yet. */
type Token = Delimiter | UnmarkedRun;
type UnmarkedRun = Omit<Run, 'marks'>;

/** A part of a text, between two indexes. */
interface TextSpan {
  text: string;
  start: number;
  end: number;
}

function parseParagraph(text: string, budget: Budget): Run[] {
  const tokens = tokensOf(text, budget);
  const delimiters = tokens.filter((token) => 'written' in token);
  budget.elements -= pairDelimiters(delimiters, budget.elements);
  return runsOf(tokens);
}

function tokensOf(text: string, budget: Budget): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const span of codeAndLinks(text, budget)) {
    addText(tokens, { text, start: end, end: span.start }, budget);
    tokens.push(span.run);
    end = span.end;
  }
  addText(tokens, { text, start: end, end: text.length }, budget);
  return tokens;
}

/** Yields the code and the links with labels of a text. */
function* codeAndLinks(text: string, budget: Budget): Generator<{ run: UnmarkedRun; start: number; end: number }> {
  const found = [...text.matchAll(codeOrLink)];
  /** Index of the last run of backticks of each length: no search goes beyond it, so the time is linear. */
  const lastTicks = new Map(found.map(([written], index) => [written, index]));
  let next = 0;
  for (const [index, { 0: written, 1: label, 2: address, index: start }] of found.entries()) {
    if (index < next || text.charAt(start - 1) === '\\') continue;
    let last = index;
    let run: UnmarkedRun | undefined;
    if (label !== undefined && address !== undefined) run = labelledLink(label, address, budget);
    else if ((lastTicks.get(written) ?? 0) > index && budget.elements > 0) {
      do last += 1;
      while (found[last]?.[0] !== written);
      run = codeOf(text.slice(start + written.length, found[last]?.index), budget);
    }
    next = last + 1;
    if (run !== undefined) yield { run, start, end: (found[last]?.index ?? start) + written.length };
  }
}

/** Adds a part of a text, and its links. */
function addText(tokens: Token[], { text, start, end }: TextSpan, budget: Budget): void {
  let from = start;
  for (const part of textParts(text.slice(start, end), budget.profiles, budget.links)) {
    const to = from + part.text.length;
    if (part.href === undefined) addDelimiters(tokens, { text, start: from, end: to });
    else {
      tokens.push(part);
      budget.links -= 1;
    }
    from = to;
  }
}

/** Returns undefined for blank code, which stays text. */
function codeOf(written: string, budget: Budget): UnmarkedRun | undefined {
  const code = written.replaceAll('\n', ' ');
  if (code.trim() === '') return undefined;
  budget.elements -= 1;
  return { text: /^ .* $/.test(code) ? code.slice(1, -1) : code, isCode: true };
}

/** Returns undefined if the label shows an address or an account, which might not be what the link opens. */
function labelledLink(label: string, address: string, budget: Budget): UnmarkedRun | undefined {
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

/** Adds a part of a text without links, and its delimiters. What follows the part decides what they are. */
function addDelimiters(tokens: Token[], { text, start, end }: TextSpan): void {
  let from = start;
  for (const { 0: match, index } of text.slice(start, end).matchAll(escapeOrDelimiter)) {
    const position = start + index;
    if (position > from) tokens.push({ text: text.slice(from, position) });
    from = position + match.length;
    tokens.push(match.startsWith('\\') ? { text: match.slice(1) } : delimiterAt(text, position, match));
  }
  if (end > from) tokens.push({ text: text.slice(from, end) });
}

/** Applies the marks of delimiters to what is between them, and joins texts with the same marks. */
function runsOf(tokens: readonly Token[]): Run[] {
  const runs: Run[] = [];
  const depths = { strong: 0, em: 0, del: 0 };
  let marks: Mark[] = [];
  const appendText = (text: string): void => {
    const last = runs.at(-1);
    const isSame = last?.href === undefined && last?.isCode === undefined && last?.marks === marks;
    if (isSame) last.text += text;
    else if (text !== '') runs.push({ text, marks });
  };
  const changeDepths = (changed: readonly Mark[], by: 1 | -1): void => {
    for (const mark of changed) depths[mark] += by;
    if (changed.length > 0) marks = (['strong', 'em', 'del'] as const).filter((mark) => depths[mark] > 0);
  };
  for (const token of tokens) {
    if ('written' in token) {
      changeDepths(token.closed, -1);
      appendText(token.character.repeat(token.left));
      changeDepths(token.opened, 1);
    } else if (token.href === undefined && token.isCode === undefined) appendText(token.text);
    else runs.push({ ...token, marks });
  }
  return runs;
}
