import { onStopRequest } from './stop-requests';
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
