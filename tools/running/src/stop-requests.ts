/** Signals within this time are one request: a Ctrl-C arrives from the terminal, from npm and from `run.mjs`. */
const oneRequestMs = 1_000;

/** Calls `stop` at the first signal, or when the process that started us is gone, and `hurry` at later signals. */
export function onStopRequest({ stop, hurry }: { stop: () => void; hurry: () => void }): void {
  let firstAt: number | undefined;
  const request = () => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      stop();
    } else if (Date.now() - firstAt > oneRequestMs) hurry();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
  process.on('disconnect', request);
  // The terminal may be gone, and nobody reads: that must not keep us from stopping.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
