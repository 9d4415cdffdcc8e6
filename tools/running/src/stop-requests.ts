/** Signals within this time count as one: the terminal, npm and `run.mjs` each send one for a Ctrl-C. */
const oneRequestMs = 1_000;

/** Calls `stop` at the first signal, or when the parent process ends, and `kill` at later signals. */
export function onStopRequest({ stop, kill }: { stop: () => void; kill: () => void }): void {
  let firstAt: number | undefined;
  const request = (): void => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      stop();
    } else if (Date.now() - firstAt > oneRequestMs) kill();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
  process.on('disconnect', request);
  // Output that cannot be written, such as after the terminal was closed, must not prevent the stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
