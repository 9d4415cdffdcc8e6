/** Hive's own parser takes raw line breaks inside strings, which the standard forbids; the chain has such operations. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/[\r\n\t]/g, ' '));
    return true;
  } catch {
    // Not JSON.
    return false;
  }
}
