/** Something that went wrong and that one line tells to the person at the terminal: no stack is of use. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
}

/** What to print of an error: the line alone where it is plain. */
export function explain(error: unknown): string {
  if (error instanceof PlainError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
