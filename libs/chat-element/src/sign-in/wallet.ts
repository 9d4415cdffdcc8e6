import type { Wallet, WalletRequest } from './aioha';
import { SignInError, type SignInMethod } from '../client/sign-in-method';

declare global {
  interface Window {
    /** Added by the browser extension Peak Vault. */
    peakvault?: unknown;
  }
}

/** Wallets that this browser can use. HiveAuth needs only a phone. */
export function availableWallets(): Wallet[] {
  return window.peakvault === undefined ? ['hiveauth'] : ['peakvault', 'hiveauth'];
}

/** Signs by a wallet. Its library is loaded when it is used. */
export function walletMethod(wallet: Wallet, onRequest: (request: WalletRequest) => void): SignInMethod {
  return {
    sign: async (account, text) => {
      const { signByWallet } = await import('./aioha');
      const result = await signByWallet(wallet, account, String(text), onRequest);
      if ('signature' in result) return result.signature;
      throw new SignInError(result.isCancelled ? 'cancelled' : 'wallet-failed', { cause: result.cause });
    },
  };
}
