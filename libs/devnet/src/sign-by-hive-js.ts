import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';

const library = createRequire(__filename).resolve('@hiveio/hive-js/lib/auth/ecc');

/** Reads `{library, text, wif}` as JSON and prints the signature, and nothing else: hive-js may say that it took long. */
const script = `
  console.log = () => undefined;
  const { library, text, wif } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  process.stdout.write(require(library).Signature.signBuffer(text, wif).toHex());
`;

/**
 * Signs a text as clients with hive-js do, in a process of its own: that takes some 0.3 s, and within Jest ten times as long.
 *
 * @param wif private key in wallet import format
 * @returns 130 hex characters: recovery byte, r, s, over sha256 of the text
 * @throws Error when the key is none
 */
export function signByHiveJs(text: string, wif: string): string {
  try {
    const input = JSON.stringify({ library, text, wif });
    return execFileSync(process.execPath, ['--eval', script], {
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  } catch {
    // What the process says may repeat the key.
    throw new Error('hive-js does not sign with this key');
  }
}
