import { text } from 'node:stream/consumers';
import { explain } from '@waggle/running/plain-error';
import { callsJob } from '../jobs';
import { loadCalls } from './calls';

/** The load generator: reads a job from the standard input and prints the result as one line. */
async function main(): Promise<void> {
  const result = await loadCalls(callsJob.parse(JSON.parse(await text(process.stdin))));
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
