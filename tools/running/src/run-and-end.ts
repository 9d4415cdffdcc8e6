import { onStopRequest } from './stop-requests';
import { explain } from './plain-error';
import { Running, StoppedError } from './running';

/**
 * Runs a command that starts processes, ends all of them whatever happens, and ends this process.
 *
 * @param main returns the exit code; what it throws is told, and the code is 1
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
    hurry: () => {
      running.hurry();
    },
  });
  // Children never keep their parent alive; this does.
  const alive = setInterval(() => undefined, 1_000_000);
  try {
    return await main(running);
  } catch (error) {
    process.stderr.write(`${running.signal.aborted ? new StoppedError().message : explain(error)}\n`);
    return 1;
  } finally {
    await running.endAll();
    clearInterval(alive);
  }
}
