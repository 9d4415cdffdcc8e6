/** Formats an API description for a commit: with sorted keys, so that diffs show only changes. */
export function descriptionText(document: object): string {
  return `${JSON.stringify(document, inOrder, 2)}\n`;
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
