/** Aligns a table in columns, as lines of plain text for a terminal. */
export function formatTextTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const table = [headings, ...rows];
  const widths = headings.map((_heading, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
