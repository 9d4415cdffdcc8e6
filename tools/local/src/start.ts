import { runAndEnd, StoppedError } from '@waggle/running';
import { CloneState } from './local-stack/clone-state';
import { programsOf } from './local-stack/programs';
import { readyText } from './local-stack/ready-text';
import { startStack } from './local-stack/stack';

const say = (line: string) => process.stdout.write(`${line}\n`);

runAndEnd(async (running) => {
  const programs = programsOf(process.argv.slice(2));
  const state = new CloneState(process.env);
  running.signal.addEventListener('abort', () => say('\nStopping.'));
  try {
    await startStack(running, programs, state, say);
    say(readyText(programs, state.postgresData()));
    return await running.stopped;
  } catch (error) {
    if (!(running.signal.reason instanceof StoppedError)) throw error;
    await running.endAll();
    say('Stopped.');
    return 0;
  }
});
