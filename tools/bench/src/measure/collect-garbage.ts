// Loaded into a server before its own script, with --expose-gc: what it holds at rest can then be told from garbage.
import { collectedLine } from './collected-line';

process.on('SIGUSR2', () => {
  // What the first run frees may be what held something else.
  for (let run = 0; run < 2; run += 1) globalThis.gc?.();
  process.stdout.write(`${collectedLine}\n`);
});
