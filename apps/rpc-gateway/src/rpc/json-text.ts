/** A value that is JSON already. It is not serialized again, so it may contain numbers that JavaScript would round. */
export class JsonText {
  /** A long text is not joined: calls that share it would each copy it. */
  readonly parts: readonly string[];
  private countedBytes: number | undefined;

  constructor(...parts: string[]) {
    this.parts = parts;
  }

  get text(): string {
    return this.parts.join('');
  }

  /** In UTF-16 code units. */
  get length(): number {
    return this.parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** In UTF-8. */
  get bytes(): number {
    return (this.countedBytes ??= this.parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
  }

  /** Used by `JSON.stringify` of an enclosing value. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Serializes a value like `JSON.stringify`, but includes bigints and nested `JsonText` without rounding. */
export function exactJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${exactJson(member)}`).join(',')}}`;
}
