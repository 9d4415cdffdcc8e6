import type { Texts } from './en';

/** Codes that have the text of another. */
const aliases: Record<string, keyof Texts['errors']> = {
  TimeLimitError: 'UnreachableError',
  'no-websocket': 'UnreachableError',
  'invalid-frame': 'invalid-request',
};

/** A sentence for an error code. */
export function errorText({ errors }: Texts, code: string): string {
  const texts = new Map(Object.entries(errors));
  return texts.get(aliases[code] ?? code) ?? errors.unknown;
}
