/** Patterns of values that differ between runs, by placeholder; the first match applies. */
const patterns: Readonly<Record<string, RegExp>> = {
  token: /eyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  signature: /\b[0-9a-f]{130}\b/g,
  request: /(?<="requestId": ?")[0-9a-f-]{36}/g,
  uuid: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
  ulid: /\b[0-9A-HJKMNP-TV-Z]{26}\b/g,
  origin: /127\.0\.0\.1:\d+/g,
  time: /\b\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d(?:\.\d{3})?Z?/g,
  milliseconds: /(?<==)1\d{12}\b/g,
};

/**
 * Placeholders without numbers: times that are equal in one run may differ in the next, and every request has a new id.
 */
const unnumbered = new Set(['request', 'time', 'milliseconds']);

/**
 * Replaces ids, tokens, times and ports by placeholders such as `<ulid 1>`, numbered in the order of first appearance.
 */
export function withPlaceholders(text: string): string {
  return Object.entries(patterns).reduce((rest, [kind, pattern]) => {
    const found = new Map<string, string>();
    return rest.replace(pattern, (each) => {
      const placeholder = found.get(each) ?? (unnumbered.has(kind) ? `<${kind}>` : `<${kind} ${found.size + 1}>`);
      found.set(each, placeholder);
      return placeholder;
    });
  }, text);
}
