import type { Texts } from './en';

/** Codes that have the text of another. */
const aliases: Record<string, string> = {
  TimeLimitError: 'UnreachableError',
  'no-websocket': 'UnreachableError',
  'invalid-frame': 'invalid-request',
};

/** A sentence for an error code. */
export function errorText({ errors }: Texts, code: string): string {
  const texts: Record<string, string> = errors;
  return texts[aliases[code] ?? code] ?? errors.unknown;
}
