import { memberOf, partOfHiveJs } from './hive-js';

interface Signer {
  signBuffer(text: string, wif: string): { toHex(): string };
}

/**
 * Signs a text as clients with hive-js do; some 0.2 s a signature, and seconds in Jest.
 *
 * @param wif private key in wallet import format
 * @returns 130 hex characters: recovery byte, r, s, over sha256 of the text
 * @throws Error when the key is none
 */
export function signByHiveJs(text: string, wif: string): string {
  return partOfHiveJs('@hiveio/hive-js/lib/auth/ecc', isSigner, ['Signature']).signBuffer(text, wif).toHex();
}

function isSigner(value: unknown): value is Signer {
  return typeof memberOf(value, 'signBuffer') === 'function';
}
