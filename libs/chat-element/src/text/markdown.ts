import { type Budget, parseInline, type Run } from './markdown-inline';
import { maxLinks } from './text-parts';

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

/** Maximum number of lists and quotes in each other. */
const maxDepth = 4;

/** Maximum number of elements besides links in a message. */
const maxElements = 300;

const fenceStart = /^( {0,3})(`{3,})[^`]*$/;
const fenceEnd = /^ {0,3}(`{3,})\s*$/;
/** Needs a space after it, so that `>_<` and `>10` stay what they are. */
const quoteStart = /^ {0,3}>(?=>*(?: |$)) ?/;
/** A longer number is rather a year or an amount. */
const itemStart = /^ {0,3}(?:[-*+]|(\d{1,3})[.)]) +(?=\S)/;
/** A line between paragraphs, which would be a list of lists. */
const rule = /^ *([-*])(?: *\1)+ *$/;

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

/** Returns the text without marks, to show it as plain text. */
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
    // Blocks need no empty lines between them.
    const shown = blocks.length === 0 && next === lines.length ? text : text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
    if (shown !== '') blocks.push({ type: 'text', runs: parseInline(shown, budget) });
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
