import { text } from 'node:stream/consumers';
import { explain } from '@waggle/running/plain-error';
import { readsJob } from '../jobs';
import { loadReads } from './reads';

/** The load generator: reads a job from the standard input, prints the result as one line. */
async function main(): Promise<void> {
  const result = await loadReads(readsJob.parse(JSON.parse(await text(process.stdin))));
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
