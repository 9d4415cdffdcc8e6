import { hrefOf, maxLinks, type TextPart, textParts } from './text-parts';

export type Mark = 'strong' | 'em' | 'del';

/** A piece of a line with the same marks: text, code, or a link; a link with a label if it has a host to show. */
export interface Run extends TextPart {
  marks: readonly Mark[];
  isCode?: true;
  label?: readonly Run[];
}

export interface ListItem {
  /** The number that was written; undefined in a bulleted list. */
  value: number | undefined;
  blocks: Block[];
}

export type Block =
  | { type: 'text'; runs: Run[] }
  | { type: 'code'; text: string }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'list'; items: ListItem[] };

/** What limits the elements that a message can become. */
interface Budget {
  profiles: string;
  links: number;
  /** Of all other elements. */
  elements: number;
}

/** Maximum number of lists and quotes in each other. */
const maxDepth = 4;

/** Maximum number of elements besides links in a message. */
const maxElements = 300;

const fenceStart = /^( {0,3})(`{3,})[^`]*$/;
const fenceEnd = /^ {0,3}(`{3,})\s*$/;
/** Needs a space after it, so that `>_<` and `>10` stay what they are. */
const quoteStart = /^ {0,3}>(?=>*(?: |$)) ?/;
/** A longer number is a year or an amount rather. */
const itemStart = /^ {0,3}(?:[-*+]|(\d{1,3})[.)]) +(?=\S)/;
/** A line between paragraphs, which would be a list of lists. */
const rule = /^ *([-*])(?: *\1)+ *$/;

/** An escaped character, or a run of characters that may begin or end marks. */
const delimiter = /\\[*_~`[>]|\*+|_+|(?<!~)~~(?!~)/g;
/** A run of backticks, or a link with a label. */
const codeOrLink = /`+|\[([^[\]\n`]+)\]\((https?:\/\/(?:[^\s<>()`]|\([^\s<>()`]*\))+)\)/giu;

const space = /[\s\u00A0]/u;
const punctuation = /[\p{P}\p{S}]/u;
/** Scripts that write no spaces between words, or particles after them: a mark ends between any two letters. */
const unspaced = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Parses the subset of Markdown that messages have: bold, italic and struck text, code, quotes, links and lists.
 * Everything else stays text, as do all line breaks. Takes linear time.
 *
 * The page has no room for a maintained parser: marked has 16 kB compressed, micromark 17 kB, markdown-it 42 kB.
 *
 * @param profiles URL of profiles, with `{account}` for the name
 */
export function parseMarkdown(text: string, profiles: string): Block[] {
  return parseBlocks(text.split('\n'), 0, { profiles, links: maxLinks, elements: maxElements });
}

/** The text without marks, for where only text can be shown. */
export function plainText(text: string): string {
  return plainBlocks(parseMarkdown(text, ''));
}

function plainBlocks(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.type === 'text') return plainRuns(block.runs);
      if (block.type === 'code') return block.text;
      if (block.type === 'quote') return plainBlocks(block.blocks);
      return block.items
        .map(({ value, blocks: content }) => `${value === undefined ? '•' : `${value}.`} ${plainBlocks(content)}`)
        .join('\n');
    })
    .join('\n');
}

function plainRuns(runs: readonly Run[]): string {
  return runs.map(({ text, label }) => (label === undefined ? text : plainRuns(label))).join('');
}

function parseBlocks(lines: readonly string[], depth: number, budget: Budget): Block[] {
  const blocks: Block[] = [];
  let textStart = 0;
  let next = 0;
  const endText = (): void => {
    const text = lines.slice(textStart, next).join('\n');
    // Blocks are apart from each other without empty lines.
    const shown = blocks.length === 0 && next === lines.length ? text : text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
    if (shown !== '') blocks.push({ type: 'text', runs: parseText(shown, budget) });
  };
  while (next < lines.length) {
    const found = budget.elements > 0 ? blockAt(lines, next, depth, budget) : undefined;
    if (found === undefined) next += 1;
    else {
      endText();
      blocks.push(found.block);
      next = found.end;
      textStart = next;
    }
  }
  endText();
  return blocks;
}

interface FoundBlock {
  block: Block;
  /** Index of the first line after it. */
  end: number;
}

/** The block that begins with a line; undefined if that is text. */
function blockAt(lines: readonly string[], start: number, depth: number, budget: Budget): FoundBlock | undefined {
  const line = lines[start] ?? '';
  const fence = fenceStart.exec(line);
  if (fence !== null) return codeAt(lines, start, fence, budget);
  if (depth === maxDepth) return undefined;
  if (quoteStart.test(line)) {
    budget.elements -= 1;
    let end = start;
    while (quoteStart.test(lines[end] ?? '')) end += 1;
    const quoted = lines.slice(start, end).map((each) => each.replace(quoteStart, ''));
    return { block: { type: 'quote', blocks: parseBlocks(quoted, depth + 1, budget) }, end };
  }
  return isItem(line) ? listAt(lines, start, depth, budget) : undefined;
}

function codeAt(
  lines: readonly string[],
  start: number,
  [, indent = '', ticks = '']: RegExpExecArray,
  budget: Budget,
): FoundBlock | undefined {
  let end = start + 1;
  while (end < lines.length && (fenceEnd.exec(lines[end] ?? '')?.[1]?.length ?? 0) < ticks.length) end += 1;
  const code = lines.slice(start + 1, end).map((line) => line.slice(Math.min(indentOf(line), indent.length)));
  if (code.every((line) => line.trim() === '')) return undefined;
  budget.elements -= 1;
  return { block: { type: 'code', text: code.join('\n') }, end: end + 1 };
}

function listAt(lines: readonly string[], start: number, depth: number, budget: Budget): FoundBlock {
  const items: ListItem[] = [];
  const isNumbered = itemStart.exec(lines[start] ?? '')?.[1] !== undefined;
  let end = start;
  for (let at = start; at < lines.length && budget.elements > 0; at = firstWithText(lines, end)) {
    const line = lines[at] ?? '';
    const [marker = '', number] = itemStart.exec(line) ?? [];
    if (!isItem(line) || (number !== undefined) !== isNumbered) break;
    budget.elements -= 1;
    const content = [line.slice(marker.length)];
    end = at + 1;
    for (let inside = end; inside < lines.length; inside = firstWithText(lines, end)) {
      const indent = indentOf(lines[inside] ?? '');
      if (indent < 2) break;
      for (; end <= inside; end += 1) content.push((lines[end] ?? '').slice(Math.min(indent, marker.length)));
    }
    const value = number === undefined ? undefined : Number(number);
    items.push({ value, blocks: parseBlocks(content, depth + 1, budget) });
  }
  return { block: { type: 'list', items }, end };
}

function isItem(line: string): boolean {
  return itemStart.test(line) && !rule.test(line);
}

function indentOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

/** Index of the first line from an index on that is not empty. */
function firstWithText(lines: readonly string[], from: number): number {
  let index = from;
  while (index < lines.length && lines[index]?.trim() === '') index += 1;
  return index;
}

/** Marks do not extend over empty lines, which stay. */
function parseText(text: string, budget: Budget): Run[] {
  return text
    .split(/(\n\s*\n)/)
    .flatMap((part, index) => (index % 2 === 1 ? [{ text: part, marks: [] }] : parseParagraph(part, budget)));
}

/** Characters that begin or end marks, as in the section «Delimiter run» of CommonMark. */
interface Delimiter {
  position: number;
  character: string;
  /** How many are written, and how many of them are left as text. */
  written: number;
  left: number;
  opens: boolean;
  closes: boolean;
  opened: Mark[];
  closed: Mark[];
}

type Token = Delimiter | Omit<Run, 'marks'>;

function parseParagraph(text: string, budget: Budget): Run[] {
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
  /** Index of the last run of backticks of each length: where there is no other one, no search is needed. */
  const lastRuns = new Map(found.map(([match], index) => [match, index]));
  for (let index = 0; index < found.length; index += 1) {
    const each = found[index];
    if (each === undefined) break;
    const { 0: match, 1: label, 2: address, index: start } = each;
    if (text.charAt(start - 1) === '\\') continue;
    if (label !== undefined && address !== undefined) {
      const link = budget.links > 0 ? linkTo(label, address, budget) : undefined;
      if (link === undefined) continue;
      addText(start);
      budget.links -= 1;
      tokens.push(link);
      end = start + match.length;
      continue;
    }
    if ((lastRuns.get(match) ?? 0) <= index || budget.elements === 0) continue;
    do index += 1;
    while (found[index]?.[0] !== match);
    const close = found[index]?.index ?? start;
    const code = text.slice(start + match.length, close).replaceAll('\n', ' ');
    if (code.trim() === '') continue;
    addText(start);
    budget.elements -= 1;
    tokens.push({ text: /^ .* $/.test(code) ? code.slice(1, -1) : code, isCode: true });
    end = close + match.length;
  }
  addText(text.length);
  pair(
    tokens.filter((token) => 'written' in token),
    budget,
  );
  return runsOf(tokens);
}

/** A link with a label; undefined if the label shows an address or an account, which might not be what it opens. */
function linkTo(label: string, address: string, budget: Budget): Omit<Run, 'marks'> | undefined {
  const href = hrefOf(address);
  if (href === undefined || label.trim() === '') return undefined;
  if (label === address) return { text: label, href };
  const labelBudget = { ...budget, links: 0 };
  const runs = parseParagraph(label, labelBudget);
  // Marks in an address do not hide it.
  const shown = runs.map(({ text }) => text).join('');
  if (textParts(shown, budget.profiles).some((part) => part.href !== undefined)) return undefined;
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
 * Pairs what opens marks with what closes them, as «process emphasis» of CommonMark: a search that found nothing is not
 * repeated, which keeps the time linear.
 */
function pair(delimiters: readonly Delimiter[], budget: Budget): void {
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
