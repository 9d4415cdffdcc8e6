/** A description as it is committed: keys in alphabetical order, so that only what changes differs. */
export function descriptionText(document: object): string {
  return `${JSON.stringify(document, inOrder, 2)}\n`;
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
