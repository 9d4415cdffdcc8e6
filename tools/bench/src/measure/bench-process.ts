import { text } from 'node:stream/consumers';
import { exitOnError } from '@waggle/running/plain-error';

/**
 * Runs a process of the benchmark: passes it the JSON from the standard input and prints its result as a line of JSON.
 * Sockets and servers keep the process alive after that until the benchmark ends it.
 */
export function runBenchProcess(run: (job: unknown) => Promise<object>): void {
  exitOnError(
    text(process.stdin)
      .then((input) => run(JSON.parse(input)))
      .then((result) => process.stdout.write(`${JSON.stringify(result)}\n`)),
  );
}
