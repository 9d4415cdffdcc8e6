/** Puts a value between backquotes, as JSON unless it is a text. */
export function code(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const fence = text.includes('`') ? '``' : '`';
  return text === '' ? 'an empty text' : `${fence}${text}${fence}`;
}

export function codeBlock(value: unknown, language = 'json'): string {
  const text = typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, undefined, 2);
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Returns a table, or nothing if it has no rows. Columns without any text are left out. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = titles.map((_title, index) => rows.some((row) => row[index] !== ''));
  const lineOf = (cells: readonly string[]) =>
    `| ${cells
      .filter((_cell, index) => used[index])
      .map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' '))
      .join(' | ')} |`;
  return rows.length === 0 ? '' : [lineOf(titles), lineOf(titles.map(() => '---')), ...rows.map(lineOf)].join('\n');
}

/** Returns an item of a list whose further paragraphs belong to it. */
export function listItem(...paragraphs: string[]): string {
  return `- ${join(...paragraphs).replaceAll(/\n(?=.)/g, '\n  ')}`;
}

/** Joins the paragraphs that have a text. */
export function join(...paragraphs: (string | undefined)[]): string {
  return paragraphs.filter((text) => text !== undefined && text !== '').join('\n\n');
}
