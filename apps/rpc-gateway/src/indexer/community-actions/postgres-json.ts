/**
 * Formats JSON as PostgreSQL prints `jsonb`, which clients of public gateways expect: a space after each colon and
 * comma, and shorter keys first. `jsonb` itself rejects some characters.
 */
export function postgresJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(postgresJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => compareKeys(one, other));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${postgresJson(item)}`).join(', ')}}`;
}

function compareKeys(one: string, other: string): number {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length - second.length || first.compare(second);
}
