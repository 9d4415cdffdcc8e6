import { ChatClientError, RejectedError } from '@waggle/client/browser';
import { SignInError } from './sign-in-method';

/** The code of an error, for texts and tests. */
export function errorCodeOf(error: unknown): string {
  if (error instanceof RejectedError || error instanceof SignInError) return error.code;
  if (error instanceof ChatClientError) return error.name;
  return 'unknown';
}
