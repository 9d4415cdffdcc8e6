import { restoreSession, Session, type SessionTokens } from '@waggle/client/browser';
import type { BrowserMemory } from './browser-memory';

const key = 'session';

/** Keeps a session over reloads: by the service's HttpOnly cookies on its own origin, otherwise by tokens in local storage. */
export class SavedSession {
  readonly byCookies: boolean;

  constructor(
    private readonly url: string,
    private readonly memory: BrowserMemory,
  ) {
    this.byCookies = new URL(url).origin === location.origin;
  }

  /** @returns undefined if there is none @throws RefusedError, UnreachableError */
  async restore(): Promise<Session | undefined> {
    const { url } = this;
    // Without this flag there is no session, so a request would be in vain.
    const saved = this.memory.read(key);
    if (saved === undefined) return undefined;
    if (this.byCookies) return restoreSession({ url });
    return isTokens(saved) ? new Session({ url, tokens: saved, onRenewed: this.save }) : undefined;
  }

  readonly save = (tokens: SessionTokens): void => {
    this.memory.write(key, this.byCookies ? { account: tokens.account } : tokens);
  };

  forget(): void {
    this.memory.remove(key);
  }

  /** Calls a listener when another tab signs in or out. @returns ends it */
  onChange(listener: () => void): () => void {
    return this.memory.onChange(key, listener);
  }
}

function isTokens(value: unknown): value is SessionTokens {
  return (
    typeof value === 'object' &&
    value !== null &&
    'account' in value &&
    'accessToken' in value &&
    'webSocketToken' in value &&
    'refreshToken' in value
  );
}
