import { runMain } from '@waggle/service';
import { readSnapshotConfig } from './config';
import { parseArguments } from './snapshot/arguments';
import { runSnapshot } from './snapshot/run-snapshot';
import { SnapshotError } from './snapshot/snapshot-error';

// Copies the index between databases: `node dist/snapshot.main.js export|import`, see the README. Each error has its
// own exit code.
runMain(async () => {
  const stop = new AbortController();
  // As process 1 of a container, Node would ignore these signals.
  const abort = (): void => {
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, abort);
  try {
    await runSnapshot(parseArguments(process.argv.slice(2)), readSnapshotConfig(process.env), stop.signal);
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  }
});
