import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');

/** A fenced block of a Markdown file. */
export interface Example {
  /** Relative to the repository. */
  file: string;
  /** The first line of the text, from 1. */
  line: number;
  /** The language of the fence: `sh`, `ts`, …; empty without one. */
  language: string;
  /** The nearest heading above. */
  section: string;
  text: string;
}

/** Returns the path of every Markdown file, relative to the root of the repository. */
export function markdownFiles(folder = ''): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory())
      return /^(node_modules|dist|coverage|generated-pages|\..*)$/.test(entry.name) ? [] : markdownFiles(file);
    return entry.name.endsWith('.md') ? [file] : [];
  });
}

/** The first line of a block. Its indentation may contain the marker of a list item. */
const opening = /^(?<indent>\s*(?:\d+\.\s+|[-*]\s+)?)`{3,}(?<language>\w*)\s*$/;

/** @param file relative to the repository. @throws Error if a block does not end */
export function examplesOf(file: string): Example[] {
  const examples: Example[] = [];
  let section = '';
  let open: Example | undefined;
  /** How far its lines are indented. */
  let margin = 0;
  for (const [index, line] of readFileSync(path.join(root, file), 'utf8').split('\n').entries()) {
    if (open !== undefined) {
      if (/^\s*`{3,}\s*$/.test(line)) {
        examples.push(open);
        open = undefined;
      } else open.text += `${line.slice(Math.min(margin, line.search(/\S|$/)))}\n`;
      continue;
    }
    const [, heading] = /^#+ (.+)$/.exec(line) ?? [];
    section = heading ?? section;
    const { indent, language } = opening.exec(line)?.groups ?? {};
    if (indent !== undefined && language !== undefined) {
      open = { file, line: index + 2, language, section, text: '' };
      margin = indent.length;
    }
  }
  if (open !== undefined) throw new Error(`${file}:${open.line}: the block does not end`);
  return examples;
}

/**
 * Reads the only example of a section that is not a command, for the test that runs it.
 * `tools/repository/test/examples.test.ts` searches for calls of this and of `commandsIn`, and fails for examples that
 * no test and no rule covers.
 *
 * @throws Error if the section has none, or several
 */
export function exampleIn(file: string, section: string): string {
  const found = examplesOf(file).filter((one) => one.section === section && one.language !== 'sh');
  const [example] = found;
  if (example === undefined || found.length > 1)
    throw new Error(`${file} has ${found.length} examples in "${section}"`);
  return example.text;
}

/** Complete SQL statements between backquotes in a document, for the test that runs them; placeholders become 0. */
export function statementsIn(file: string): string[] {
  return [
    ...readFileSync(path.join(root, file), 'utf8').matchAll(/`((?:SELECT|UPDATE|DELETE FROM|INSERT INTO) [^`…]+)`/g),
  ].map(([, statement = '']) => statement.replaceAll(/<\w+>/g, '0'));
}

/**
 * The lines of all commands of a section, without comments, for the test that runs them. @throws Error if it has none
 */
export function commandsIn(file: string, section: string): string[] {
  const lines = examplesOf(file)
    .filter((one) => one.section === section && one.language === 'sh')
    .flatMap(({ text }) => text.split('\n').map((line) => line.replace(/(^|\s+)#.*$/, '').trim()))
    .filter((line) => line !== '');
  if (lines.length === 0) throw new Error(`${file} has no commands in "${section}"`);
  return lines;
}
