import type { ServerConfig } from '../client/server-config';
import { keyMethod } from '../sign-in/key';
import { findKeychain } from '../sign-in/keychain';
import { availableWallets, walletMethod } from '../sign-in/wallet';
import type { WalletRequest } from '../sign-in/aioha';

/** Signs the sha256 of bytes with the posting key. A wallet on a phone gets the hash of an image instead of it. */
export interface ImageSigner {
  signs: 'image' | 'hash';
  /** @returns 130 hex digits */
  sign(bytes: Uint8Array): Promise<string>;
}

/**
 * Returns what signs an image of an account: on a devnet its key, otherwise the first of Hive Keychain, Peak Vault and
 * HiveAuth that this browser has. A wallet signs bytes that are passed as the JSON of a Node.js Buffer, as condenser
 * does (src/app/redux/UserSaga.js; hive-keychain-extension, sign-buffer.ts). A wallet on a phone gets only the hash.
 *
 * @param onRequest shows what the wallet on a phone has to scan
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

function bufferJson(bytes: Uint8Array): string {
  return JSON.stringify({ type: 'Buffer', data: Array.from(bytes) });
}
