import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';

const library = createRequire(__filename).resolve('@hiveio/hive-js/lib/auth/ecc');

/** Reads `{library, text, wif}` as JSON and prints only the signature: hive-js may print that it took long. */
const script = `
  console.log = () => undefined;
  const { library, text, wif } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  process.stdout.write(require(library).Signature.signBuffer(text, wif).toHex());
`;

/**
 * Signs a text like clients with hive-js, in a separate process: this takes about 0.3 s, and ten times as long within
 * Jest.
 *
 * @param wif private key in wallet import format
 * @returns 130 hex characters: recovery byte, r, s, over sha256 of the text
 * @throws Error for an invalid key
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
    // The output of the process may contain the key.
    throw new Error('hive-js does not sign with this key');
  }
}
