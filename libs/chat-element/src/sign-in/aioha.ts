import { Aioha, KeyTypes, Providers } from '@aioha/aioha';
import { encode } from 'uqr';

export type Wallet = 'hiveauth' | 'peakvault';

export type WalletResult = { signature: string } | { isCancelled: boolean; cause: string };

/** A request to a wallet on a phone: as a link, and as the modules of a QR code. */
export interface WalletRequest {
  link: string;
  modules: boolean[][];
}

/** Aioha's error code if the user rejects the request. */
const cancelledCode = 4001;

/** Signs a text with the posting key by a wallet that Aioha supports. */
export async function signByWallet(
  wallet: Wallet,
  account: string,
  text: string,
  onRequest: (request: WalletRequest) => void,
): Promise<WalletResult> {
  const aioha = new Aioha();
  if (wallet === 'hiveauth') aioha.registerHiveAuth({ name: location.host });
  else aioha.registerPeakVault();
  const onLink = (link: unknown): void => {
    if (typeof link === 'string') onRequest({ link, modules: encode(link).data });
  };
  aioha.on('hiveauth_login_request', onLink);
  try {
    const provider = wallet === 'hiveauth' ? Providers.HiveAuth : Providers.PeakVault;
    const result = await aioha.login(provider, account, { msg: text, keyType: KeyTypes.Posting });
    if (!result.success) return { isCancelled: result.errorCode === cancelledCode, cause: result.error };
    // Ends the session of the wallet: from here on only the chat's own session is needed.
    await aioha.logout();
    return { signature: result.result };
  } finally {
    aioha.off('hiveauth_login_request', onLink);
  }
}
