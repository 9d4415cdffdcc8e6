/** Ends every line of CSV, by RFC 4180. */
const lineEnd = '\r\n';

/**
 * Formats CSV lines; the columns are declared with the resources, as in `delegations.formats.ts`.
 * Names, numbers and times contain no comma, quote or line break.
 */
export function csvLines(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.join(',') + lineEnd).join('');
}
