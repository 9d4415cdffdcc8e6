// Reads fields of a JSON response of the service. A response of another shape is an error.

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** @throws TypeError if the field is not a number */
export function numberIn(value: unknown, field: string): number {
  const found = fieldOf(value, field);
  if (typeof found === 'number') return found;
  throw new TypeError(`${field} is not a number`);
}

/** @throws TypeError if the field is neither a number nor null */
export function numberOrNullIn(value: unknown, field: string): number | null {
  return fieldOf(value, field) === null ? null : numberIn(value, field);
}

/** @throws TypeError if the field is not a string */
export function stringIn(value: unknown, field: string): string {
  const found = fieldOf(value, field);
  if (typeof found === 'string') return found;
  throw new TypeError(`${field} is not a string`);
}

/** @throws TypeError if the field is not an array */
export function arrayIn(value: unknown, field: string): readonly unknown[] {
  const found = fieldOf(value, field);
  if (Array.isArray(found)) return found;
  throw new TypeError(`${field} is not an array`);
}

function fieldOf(value: unknown, field: string): unknown {
  return isRecord(value) ? value[field] : undefined;
}
