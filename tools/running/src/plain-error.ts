/** An error whose message is enough for the user, without a stack. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
}

/** Formats an error for the terminal: with its stack, unless it is a `PlainError`. */
export function explain(error: unknown): string {
  if (error instanceof PlainError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Prints the error of a rejected promise and exits with 1. */
export function exitOnError(promise: Promise<unknown>): void {
  promise.catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
}

/** Reads a command line. @throws PlainError if that fails: its message, followed by the usage */
export function withUsage<T>(usage: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new PlainError(`${error instanceof Error ? error.message : String(error)}${usage}`);
  }
}
