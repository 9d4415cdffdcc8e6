/** Formats a table for people, as lines. */
export function inColumns(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const table = [heads, ...rows];
  const widths = heads.map((_head, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
