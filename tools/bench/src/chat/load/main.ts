import { text } from 'node:stream/consumers';
import { explain } from '@waggle/running/plain-error';
import { job, type Job } from '../jobs';
import { loadDirect } from './direct';
import { loadGroup } from './group';
import { loadHistory } from './history';
import { loadIdle } from './idle';
import { loadLatency } from './latency';

/** The load generator: reads a job from the standard input, prints the result as one line, and waits to be ended. */
async function main(): Promise<void> {
  const result = await run(job.parse(JSON.parse(await text(process.stdin))));
  process.stdout.write(`${JSON.stringify(result)}\n`);
  // Connections that nobody closes keep this process alive until then; a load without any just ends.
}

function run(job: Job): Promise<object> {
  switch (job.kind) {
    case 'direct':
      return loadDirect(job);
    case 'latency':
      return loadLatency(job);
    case 'group':
      return loadGroup(job);
    case 'idle':
      return loadIdle(job);
    case 'history':
      return loadHistory(job);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
