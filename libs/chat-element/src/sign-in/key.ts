import { SignInError, type SignInMethod } from '../client/sign-in-method';

/** Signs with a private key: on a devnet only, since a page must not see keys that are worth something. */
export function keyMethod(wif: string): SignInMethod {
  return {
    sign: async (_account, text) => {
      const { signText } = await import('./key-signer');
      const signature = signText(text, wif);
      if (signature === undefined) throw new SignInError('wrong-key');
      return signature;
    },
  };
}
