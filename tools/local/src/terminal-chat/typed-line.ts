/** What a typed line asks for. */
export type TypedLine =
  | { kind: 'message'; text: string }
  /** With an empty text it only chooses who gets the next lines. */
  | { kind: 'recipient'; name: string; text: string }
  | { kind: 'command'; name: string };

/** Reads a typed line. Returns undefined if it is blank. */
export function readTypedLine(line: string): TypedLine | undefined {
  const text = line.trim();
  if (text === '') return undefined;
  if (text.startsWith('//')) return { kind: 'message', text: text.slice(1) };
  const [, mark, name = '', rest = ''] = /^([/@])(\S*)\s*(.*)$/s.exec(text) ?? [];
  if (mark === '/') return { kind: 'command', name };
  return mark === '@' ? { kind: 'recipient', name, text: rest } : { kind: 'message', text };
}
