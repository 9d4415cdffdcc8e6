import { SignInError, type SignInMethod } from '../client/sign-in-method';

interface KeychainResponse {
  success: boolean;
  result?: unknown;
  error?: unknown;
}

interface Keychain {
  requestSignBuffer(
    account: string,
    text: string,
    role: 'Posting',
    callback: (response: KeychainResponse) => void,
    rpc: null,
    title: string,
  ): void;
}

declare global {
  interface Window {
    /** Added by the browser extension Hive Keychain. */
    hive_keychain?: Keychain;
  }
}

/** Signs with Hive Keychain. @returns undefined if the browser does not have it */
export function findKeychain(title: string): SignInMethod | undefined {
  const keychain = window.hive_keychain;
  if (keychain === undefined) return undefined;
  return {
    sign: (account, text) =>
      new Promise((resolve, reject) => {
        keychain.requestSignBuffer(
          account,
          String(text),
          'Posting',
          ({ success, result, error }) => {
            if (success && typeof result === 'string') resolve(result);
            else reject(new SignInError(error === 'user_cancel' ? 'cancelled' : 'wallet-failed', { cause: error }));
          },
          null,
          title,
        );
      }),
  };
}
