import type { ServerConfig } from '../client/server-config';
import { keyMethod } from '../sign-in/key';
import { findKeychain } from '../sign-in/keychain';
import { availableWallets, walletMethod } from '../sign-in/wallet';
import type { WalletRequest } from '../sign-in/aioha';

/** Signs the SHA-256 of bytes with the posting key of an account. */
export interface ImageSigner {
  /** What to pass to `sign`: a wallet on a phone gets only the hash of the image. */
  signs: 'image' | 'hash';
  /** @returns 130 hex digits */
  sign(bytes: Uint8Array): Promise<string>;
}

/**
 * Returns the signer of an account: on a devnet its key, otherwise the first of Hive Keychain, Peak Vault and HiveAuth
 * (a wallet on a phone) that this browser has.
 *
 * @param title the purpose of the signature, which a wallet shows
 * @param onRequest shows the code that a wallet on a phone scans
 */
export function imageSigner(
  account: string,
  { devnetAccounts }: ServerConfig,
  title: string,
  onRequest: (request: WalletRequest) => void,
): ImageSigner {
  const devnet = devnetAccounts.find(({ name }) => name === account);
  const keychain = findKeychain(title);
  const [wallet = 'hiveauth'] = availableWallets();
  const isLocal = devnet !== undefined || keychain !== undefined;
  const method = devnet === undefined ? (keychain ?? walletMethod(wallet, onRequest)) : keyMethod(devnet.posting);
  return {
    signs: isLocal ? 'image' : 'hash',
    sign: (bytes) => method.sign(account, devnet === undefined ? bufferJson(bytes) : bytes),
  };
}

/** Wallets sign the bytes of a JSON-encoded Node.js Buffer (hive-keychain-extension, sign-buffer.ts). */
function bufferJson(bytes: Uint8Array): string {
  return JSON.stringify({ type: 'Buffer', data: Array.from(bytes) });
}
