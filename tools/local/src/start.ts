import { runAndEnd, StoppedError } from '@waggle/running';
import { CloneState } from './local-stack/clone-state';
import { programsOf } from './local-stack/programs';
import { readyText } from './local-stack/ready-text';
import { countSteps, startStack } from './local-stack/stack';
import { StartProgress } from './local-stack/start-progress';

runAndEnd(async (running) => {
  const programs = programsOf(process.argv.slice(2));
  const state = new CloneState(process.env);
  const progress = new StartProgress(process.stdout, countSteps(programs));
  running.signal.addEventListener('abort', () => {
    progress.end();
    progress.print('\nStopping.');
  });
  try {
    await startStack(running, programs, state, progress);
    progress.end();
    progress.print(readyText(programs, state.postgresData()));
    return await running.stopped;
  } catch (error) {
    if (!(running.signal.reason instanceof StoppedError)) throw error;
    await running.endAll();
    progress.print('Stopped.');
    return 0;
  } finally {
    progress.end();
  }
});
