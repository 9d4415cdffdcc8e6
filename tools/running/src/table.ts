type Rows = readonly (readonly string[])[];

/** Returns the lines of a Markdown table with aligned columns. @param headings its first row */
export function markdownTable([headings = [], ...rows]: Rows): string[] {
  const widths = headings.map((heading, column) => widthOf([headings, ...rows], column));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

/** Returns a table for a terminal. @param isRight whether a column is aligned right */
export function textTable(rows: Rows, isRight: (column: number) => boolean): string {
  const cellText = (cell: string, column: number) =>
    isRight(column) ? cell.padStart(widthOf(rows, column)) : cell.padEnd(widthOf(rows, column));
  return rows.map((row) => row.map(cellText).join('  ').trimEnd()).join('\n');
}

function widthOf(rows: Rows, column: number): number {
  return Math.max(...rows.map((row) => row[column]?.length ?? 0));
}
