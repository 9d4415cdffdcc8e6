import { explain, onStopRequest } from '@waggle/running';
import { CloneState } from './local-stack/clone';
import { programsOf } from './local-stack/programs';
import { readyText } from './local-stack/ready-text';
import { LocalStack } from './local-stack/stack';

async function main(): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const programs = programsOf(process.argv.slice(2));
  const state = new CloneState(process.env);
  const stack = new LocalStack(programs, state, say);
  onStopRequest({
    stop: () => {
      say('\nStopping.');
      stack.stop();
    },
    kill: () => {
      stack.kill();
    },
  });
  await stack.run(() => {
    say(readyText(programs, state.postgresData()));
  });
  say('Stopped.');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  },
);
