import { logIn, RefusedError, UnreachableError, type Session } from '@waggle/client';
import { PlainError } from '@waggle/running';
import { signText } from '../accounts-and-urls';
import { type ChatArguments } from './arguments';

/** @throws PlainError when the service cannot be reached or does not let us in, or the key is none. */
export async function signIn({ url, account, key }: ChatArguments): Promise<Session> {
  try {
    return await logIn({ url, account, sign: (text) => signText(text, key), logsInAgain: true });
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
