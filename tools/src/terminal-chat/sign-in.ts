import { logIn, RefusedError, UnreachableError, type Session } from '@waggle/client';
import { signByHiveJs } from '@waggle/testing';
import { PlainError } from '../plain-error';
import type { ChatArguments } from './arguments';

/** @throws PlainError when the service cannot be reached or does not let us in, or the key is none. */
export async function signIn({ url, account, key }: ChatArguments): Promise<Session> {
  try {
    return await logIn({ url, account, sign: (text) => sign(text, key), logsInAgain: true });
  } catch (error) {
    if (error instanceof UnreachableError) {
      throw new PlainError(`No chat service answers at ${url}; npm start runs one.`);
    }
    if (error instanceof RefusedError) {
      throw new PlainError(`The service does not let ${account} in: ${error.message}`);
    }
    throw error;
  }
}

/** @throws PlainError when the key is not one in wallet import format. */
function sign(text: string, wif: string): string {
  try {
    return signByHiveJs(text, wif);
  } catch {
    throw new PlainError('The key is not a private key in wallet import format (it begins with a 5).');
  }
}
