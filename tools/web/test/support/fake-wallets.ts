import { type BrowserContext, type WebSocketRoute } from 'playwright-core';

declare global {
  interface Window {
    /** Signs in the test. Undefined: the user cancels. */
    signInTest: (account: string, text: string) => Promise<string | undefined>;
  }
}

/** Adds what the extension Hive Keychain adds to pages. @param sign returns undefined if the user cancels */
export async function installFakeKeychain(
  context: BrowserContext,
  sign: (account: string, text: string) => string | undefined,
): Promise<void> {
  await context.exposeFunction('signInTest', sign);
  await context.addInitScript(() => {
    const requestSignBuffer = async (
      account: string,
      text: string,
      _role: string,
      callback: (response: { success: boolean; result?: string; error?: string }) => void,
    ) => {
      const signature = await window.signInTest(account, text);
      if (signature === undefined) callback({ success: false, error: 'user_cancel' });
      else callback({ success: true, result: signature });
    };
    Object.assign(window, { hive_keychain: { requestSignBuffer } });
  });
}

/** Responds as the server of HiveAuth does until a phone confirms. */
export function respondAsHiveAuth(socket: WebSocketRoute): void {
  const expire = Date.now() + 60_000;
  socket.send(JSON.stringify({ cmd: 'connected', protocol: 1, timeout: 60 }));
  socket.onMessage(() => {
    socket.send(JSON.stringify({ cmd: 'auth_wait', uuid: 'request', expire }));
  });
}
