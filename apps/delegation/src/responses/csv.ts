/** Ends every line of CSV, by RFC 4180. */
const lineEnd = '\r\n';

/** Lines of CSV. Neither names nor numbers nor times of ours hold a comma, a quote or a line break. */
export function csvLines(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.join(',') + lineEnd).join('');
}
