import { text } from 'node:stream/consumers';
import { explain } from '@waggle/running/plain-error';
import { job, type Job } from '../jobs';
import { loadBurst } from './burst';
import { loadRate } from './rate';

/** The load generator: reads a job from the standard input and prints the result as one line. */
async function main(): Promise<void> {
  const result = await run(job.parse(JSON.parse(await text(process.stdin))));
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

function run(job: Job): Promise<object> {
  return job.kind === 'rate' ? loadRate(job) : loadBurst(job);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
