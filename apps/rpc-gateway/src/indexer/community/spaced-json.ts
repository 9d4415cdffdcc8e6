/**
 * JSON as PostgreSQL writes `jsonb`, which clients of public gateways know: a blank after each colon and comma, and shorter
 * keys first. (The database itself would refuse some characters.)
 */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => compareKeys(one, other));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${spacedJson(item)}`).join(', ')}}`;
}

function compareKeys(one: string, other: string): number {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length - second.length || first.compare(second);
}
