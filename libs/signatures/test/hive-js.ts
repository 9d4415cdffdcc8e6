import { spawn } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';
import path from 'node:path';
import { z } from 'zod';

/** Returns the public key that hive-js recovers from each signature; null if it rejects one. */
export async function recoverByHiveJs(
  signed: readonly { text: string; signature: string }[],
): Promise<readonly (string | null)[]> {
  const child = spawn(process.execPath, [path.join(__dirname, 'hive-js-process.cjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(signed.map(({ text, signature }) => ({ text, signature }))));
  return z
    .array(z.string().nullable())
    .length(signed.length)
    .parse(JSON.parse(await readAll(child.stdout)));
}
