/** Whether a text is JSON. Like Hive's parser, it accepts raw line breaks inside strings, which the chain contains. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/[\r\n\t]/g, ' '));
    return true;
  } catch {
    // Not JSON.
    return false;
  }
}
