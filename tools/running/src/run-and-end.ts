import { explain } from './plain-error';
import { Running } from './running';

/**
 * Runs a command, ends all processes that it started, and exits.
 *
 * @param main returns the exit code. If it throws, the error is printed and the code is 1.
 */
export function runAndEnd(main: (running: Running) => Promise<number>): void {
  void run(main).then((code) => process.exit(code));
}

async function run(main: (running: Running) => Promise<number>): Promise<number> {
  const running = new Running();
  onStopRequest({
    stop: () => {
      running.stop();
    },
    kill: () => {
      running.killAll();
    },
  });
  // Keeps this process alive, which its children do not.
  const alive = setInterval(() => undefined, 1_000_000);
  try {
    return await main(running);
  } catch (error) {
    process.stderr.write(`${explain(running.signal.aborted ? running.signal.reason : error)}\n`);
    return 1;
  } finally {
    await running.endAll();
    clearInterval(alive);
  }
}

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
