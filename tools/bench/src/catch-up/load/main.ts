import { text } from 'node:stream/consumers';
import { explain } from '@waggle/running/plain-error';
import { fetchJob } from '../jobs';
import { fetchBlocks } from './fetch-blocks';

/** The baseline: reads a `FetchJob` from the standard input and prints a `FetchResult`. */
async function main(): Promise<void> {
  const result = await fetchBlocks(fetchJob.parse(JSON.parse(await text(process.stdin))));
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
