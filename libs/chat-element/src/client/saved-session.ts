import { restoreSession, Session, type SessionTokens } from '@waggle/client/browser';
import type { BrowserStorage } from './browser-storage';
import { isRecord } from './browser-storage';

const key = 'session';

/** What is saved: the tokens, or only the account if the service's cookies hold the tokens. */
type Saved = Pick<SessionTokens, 'account'> &
  Partial<SessionTokens> & {
    /** Whether the user signed out, but the service has not ended the session yet. */
    isEnding?: boolean;
  };

/**
 * Keeps a session over reloads: by the service's HttpOnly cookies on its own origin, otherwise by tokens in local
 * storage.
 */
export class SavedSession {
  #ending: Promise<void> | undefined;

  constructor(
    private readonly url: string,
    private readonly storage: BrowserStorage,
    readonly byCookies: boolean,
  ) {}

  get status(): 'none' | 'active' | 'ending' {
    const saved = this.#read();
    if (saved === undefined) return 'none';
    return saved.isEnding === true ? 'ending' : 'active';
  }

  /**
   * Continues the session. If the user signed out of it, ends it at the service instead.
   *
   * @returns undefined if there is none @throws RejectedError, UnreachableError
   */
  async restore(): Promise<Session | undefined> {
    const { url, status } = this;
    // Without a saved session, no request is needed to find out.
    if (status === 'none') return undefined;
    if (status === 'ending') {
      await this.end();
      return undefined;
    }
    if (this.byCookies) {
      const session = await restoreSession({ url });
      // Another tab may have signed out meanwhile.
      if (session === undefined || this.status !== 'active') return undefined;
      // The cookies may belong to another account.
      this.save(session.tokens);
      return session;
    }
    const tokens = this.#read();
    return isTokens(tokens) ? new Session({ url, tokens, onRenewed: this.save }) : undefined;
  }

  readonly save = (tokens: SessionTokens): void => {
    this.storage.write(key, this.#savedOf(tokens));
  };

  /** Whether it is the session of these tokens, and not one that another tab started since. */
  isOf(tokens: SessionTokens): boolean {
    const saved = this.#read();
    return saved?.account === tokens.account && (this.byCookies || saved.refreshToken === tokens.refreshToken);
  }

  /**
   * Notes that the session of these tokens is to be ended, until `end` succeeds.
   *
   * @returns false if another tab started another session since
   */
  startEnding(tokens: SessionTokens): boolean {
    // Nothing is saved if the page's storage was cleared.
    if (this.status !== 'none' && !this.isOf(tokens)) return false;
    this.storage.write(key, { ...this.#savedOf(tokens), isEnding: true });
    return true;
  }

  /** Ends the session at the service, if the user signed out of it. @throws RejectedError, UnreachableError */
  end(): Promise<void> {
    this.#ending ??= this.#end().finally(() => (this.#ending = undefined));
    return this.#ending;
  }

  forget(): void {
    this.storage.remove(key);
  }

  /** Calls a listener when another tab signs in or out. @returns removes the listener */
  onChange(listener: () => void): () => void {
    return this.storage.onChange(key, listener);
  }

  async #end(): Promise<void> {
    const saved = this.#read();
    if (saved?.isEnding !== true) return;
    const tokens = { admin: false, accessToken: '', webSocketToken: '', refreshToken: undefined, ...saved };
    await new Session({ url: this.url, tokens }).logOut();
    // Another tab may have started a session meanwhile.
    if (this.status === 'ending') this.forget();
  }

  #savedOf(tokens: SessionTokens): Saved {
    return this.byCookies ? { account: tokens.account } : tokens;
  }

  #read(): Saved | undefined {
    const saved = this.storage.read(key);
    return isSaved(saved) ? saved : undefined;
  }
}

function isSaved(value: unknown): value is Saved {
  return isRecord(value) && typeof value['account'] === 'string';
}

function isTokens(value: Saved | undefined): value is Saved & SessionTokens {
  return value !== undefined && 'accessToken' in value && 'webSocketToken' in value && 'refreshToken' in value;
}
