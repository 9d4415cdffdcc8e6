/** Returns an error of one line that says how to get a program and why it could not be fetched. */
export function fetchError(advice: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message.trim().replaceAll(/\s*\n\s*/g, ' | ') : String(cause);
  return new Error(`${advice} (fetching it failed: ${reason})`, { cause });
}
