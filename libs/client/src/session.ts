import { RefusedError, UnexpectedAnswerError } from './errors';
import { type JsonRequest, type JsonResponse, requestJson } from './http';
import { isRenewalAnswer } from './resource-guards';

/** What a session is, in a form that can be kept (as JSON) and used again by `new Session`. Keep it secret. */
export interface SessionTokens {
  account: string;
  /** Whether the account moderates every channel. */
  admin: boolean;
  /** For REST. */
  accessToken: string;
  /** For the WebSocket alone. */
  webSocketToken: string;
  /** Gives new ones of the other two; stays the same. Undefined if an HttpOnly cookie of the service has it. */
  refreshToken: string | undefined;
  /** When the first two expire, by our clock; undefined where that is not known. */
  expiresAtMs?: number | undefined;
  /** How long they are good for. */
  lifetimeMs?: number | undefined;
}

export interface SessionOptions {
  /** Base URL of the service, such as `https://chat.example`. */
  url: string;
  tokens: SessionTokens;
  /** Called with new tokens, so that they can be kept. */
  onRenewed?: ((tokens: SessionTokens) => void) | undefined;
  /** Begins another session when this one is over. For bots; a person would rather be asked first. */
  logInAgain?: (() => Promise<SessionTokens>) | undefined;
  /** How long a request may take. */
  requestTimeoutMs?: number | undefined;
}

export const defaultRequestTimeoutMs = 15_000;

/** Tokens that are renewed so long before their end have not expired when they arrive. */
const renewalMarginMs = 30_000;

/** A session of an account: sends requests in its name, and renews its tokens. */
export class Session {
  /** Base URL of the service, without a slash at its end. */
  readonly url: string;
  #tokens: SessionTokens;
  #renewal: Promise<void> | undefined;
  #requests = new AbortController();

  constructor(private readonly options: SessionOptions) {
    this.url = trimUrl(options.url);
    this.#tokens = options.tokens;
  }

  get account(): string {
    return this.#tokens.account;
  }

  get tokens(): SessionTokens {
    return this.#tokens;
  }

  /** Whether its tokens are known to be expired, or will be in a moment. */
  get isExpired(): boolean {
    const { expiresAtMs } = this.#tokens;
    return expiresAtMs !== undefined && expiresAtMs - renewalMarginMs < Date.now();
  }

  /** Fetches new tokens; asked for twice at a time, it does it once. @throws RefusedError where the session is over; UnreachableError */
  renew(): Promise<void> {
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  /**
   * A request in the name of the account, with new tokens where the old ones are refused.
   *
   * @param path with its query
   * @throws RefusedError, UnreachableError
   */
  async request(path: string, request: Pick<JsonRequest, 'method' | 'body'> = {}): Promise<unknown> {
    return (await this.requestPage(path, request)).body;
  }

  /** As `request`, with where the next page of a list is. */
  async requestPage(path: string, request: Pick<JsonRequest, 'method' | 'body'> = {}): Promise<JsonResponse> {
    if (this.isExpired) await this.renew();
    const { accessToken } = this.#tokens;
    try {
      return await this.#send(path, { ...request, token: accessToken });
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
      // Unless that was done while we asked.
      if (this.#tokens.accessToken === accessToken) await this.renew();
      return this.#send(path, { ...request, token: this.#tokens.accessToken });
    }
  }

  /** Ends the session at the service, and its connections with it. @throws RefusedError, UnreachableError */
  async logOut(): Promise<void> {
    await this.#send('/users/logout', this.#refreshCredentials());
  }

  /** Ends requests that are on their way: they reject with UnreachableError. The session itself goes on. */
  cancelRequests(): void {
    this.#requests.abort();
    this.#requests = new AbortController();
  }

  async #renew(): Promise<void> {
    try {
      const { body: answer } = await this.#send('/users/refresh-token', this.#refreshCredentials());
      if (!isRenewalAnswer(answer)) throw new UnexpectedAnswerError('/users/refresh-token');
      // The cookies of the browser may have become those of another account.
      if (answer.username !== this.account)
        throw new RefusedError('unauthenticated', 'another account', { status: 401 });
      const { lifetimeMs } = this.#tokens;
      this.#tokens = {
        ...this.#tokens,
        accessToken: answer.token,
        webSocketToken: answer.ws_token,
        expiresAtMs: lifetimeMs === undefined ? undefined : Date.now() + lifetimeMs,
      };
    } catch (error) {
      if (!isUnauthenticated(error) || this.options.logInAgain === undefined) throw error;
      this.#tokens = await this.options.logInAgain();
    }
    this.options.onRenewed?.(this.#tokens);
  }

  #refreshCredentials(): Pick<JsonRequest, 'token' | 'withCookies'> {
    const { refreshToken } = this.#tokens;
    return refreshToken === undefined ? { withCookies: true } : { token: refreshToken };
  }

  #send(path: string, request: Omit<JsonRequest, 'timeoutMs'>): Promise<JsonResponse> {
    return requestJson(this.url + path, {
      ...request,
      timeoutMs: this.options.requestTimeoutMs ?? defaultRequestTimeoutMs,
      signal: this.#requests.signal,
    });
  }
}

export function trimUrl(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Whether the credentials count no more (or, at a log-in, do not count). */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 401;
}
