import { text } from 'node:stream/consumers';
import { explain } from '@waggle/running/plain-error';
import { type z } from 'zod';
import { loadJob } from '../jobs';
import { loadCalls } from './calls';
import { loadDelay } from './delay';
import { loadStreams } from './streams';

/** The load generator: reads a job from the standard input and prints the result as one line. */
async function main(): Promise<void> {
  const job = loadJob.parse(JSON.parse(await text(process.stdin)));
  const result = await resultOf(job);
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

function resultOf(job: z.infer<typeof loadJob>) {
  if (job.kind === 'calls') return loadCalls(job);
  return job.kind === 'streams' ? loadStreams(job) : loadDelay(job);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
