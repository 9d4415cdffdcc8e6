import { logIn, RejectedError, UnreachableError, type Session } from '@waggle/client';
import { PlainError } from '@waggle/running';
import { signText } from '../accounts-and-urls';
import { type ChatArguments } from './arguments';

/** @throws PlainError if the service is unreachable or rejects the log-in, or if the key is invalid */
export async function signIn({ url, account, key }: ChatArguments): Promise<Session> {
  try {
    return await logIn({ url, account, sign: (text) => signText(text, key), logsInAgain: true });
  } catch (error) {
    if (error instanceof UnreachableError) {
      throw new PlainError(`No chat service responds at ${url}; npm start runs one.`);
    }
    if (error instanceof RejectedError) {
      throw new PlainError(`${account} cannot log in: ${error.message}`);
    }
    throw error;
  }
}
