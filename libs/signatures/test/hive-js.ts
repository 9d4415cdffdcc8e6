import { spawn } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';
import path from 'node:path';

/** Returns the public key that hive-js recovers from each signature; null if it rejects one. */
export async function recoverByHiveJs(
  signed: readonly { text: string; signature: string }[],
): Promise<(string | null)[]> {
  const results = await run(signed.map(({ text, signature }) => ({ text, signature })));
  return results.map((result) => (typeof result === 'string' ? result : null));
}

/** Signs a text with hive-js and the private key that it derives from a seed. */
export async function signByHiveJs(text: string, seed: string): Promise<{ signature: string; publicKey: string }> {
  const [result] = await run([{ text, seed }]);
  if (!isSigned(result)) throw new Error('hive-js did not sign');
  return result;
}

function isSigned(result: unknown): result is { signature: string; publicKey: string } {
  return typeof result === 'object' && result !== null && 'signature' in result && 'publicKey' in result;
}

async function run(tasks: readonly object[]): Promise<unknown[]> {
  const child = spawn(process.execPath, [path.join(__dirname, 'hive-js-process.cjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(tasks));
  const results: unknown = JSON.parse(await readAll(child.stdout));
  if (!isList(results) || results.length !== tasks.length) throw new Error('hive-js has failed');
  return results;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}
