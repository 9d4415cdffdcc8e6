import { onStopRequest } from '../../local-stack/stop-requests';
import { explain } from '../../plain-error';
import { Running, StoppedError } from './running';

/** Runs a bench, and ends whatever it has started, also when somebody asks it to end. @returns the exit code */
export async function runAndEnd(bench: (running: Running) => Promise<number>): Promise<number> {
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
    return await bench(running);
  } catch (error) {
    process.stderr.write(`${running.signal.aborted ? new StoppedError().message : explain(error)}\n`);
    return 1;
  } finally {
    await running.endAll();
    clearInterval(alive);
  }
}
