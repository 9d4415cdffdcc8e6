/** An error whose message is enough for the user, without a stack. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
}

/** Formats an error for the terminal: with its stack, unless it is a `PlainError`. */
export function explain(error: unknown): string {
  if (error instanceof PlainError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
