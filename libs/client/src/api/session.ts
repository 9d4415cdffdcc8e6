import { throwUncaught } from '../emitter';
import { RejectedError, UnexpectedResponseError } from '../errors';
import { isRenewedSession } from '../protocol/contract';
import { type JsonRequest, type JsonResponse, requestJson, requestLines } from './http';

/** The tokens of a session, as JSON that can be saved and passed to `new Session`. They are secret. */
export interface SessionTokens {
  account: string;
  /** Whether the account moderates every channel. */
  admin: boolean;
  /** For REST. */
  accessToken: string;
  /** For the WebSocket alone. */
  webSocketToken: string;
  /**
   * Renews `accessToken` and `webSocketToken`; does not change. Undefined if an HttpOnly cookie of the service holds
   * it.
   */
  refreshToken: string | undefined;
  /** When `accessToken` expires, by the clock of this device; undefined if unknown. */
  expiresAtMs?: number | undefined;
  /** Validity of a new `accessToken`. */
  lifetimeMs?: number | undefined;
}

/** `signals` abort it, besides `cancelRequests`. */
export type SessionRequest = Pick<JsonRequest, 'method' | 'body' | 'signals'>;

export interface SessionOptions {
  /** Base URL of the service, such as `https://chat.example`. */
  url: string;
  tokens: SessionTokens;
  /** Called with renewed tokens, which should be saved. */
  onRenewed?: ((tokens: SessionTokens) => void) | undefined;
  /** Starts another session when this one ends. For bots, since it does not ask the user. */
  logInAgain?: (() => Promise<SessionTokens>) | undefined;
  /** Time limit of a request. */
  requestTimeoutMs?: number | undefined;
}

export const defaultRequestTimeoutMs = 15_000;

/** Tokens are renewed this long before they expire, so that they are valid when a request arrives. */
const renewalMarginMs = 30_000;

/** A session of an account: sends authenticated requests, and renews its tokens. */
export class Session {
  /** Base URL of the service, without a slash at its end. */
  readonly url: string;
  #tokens: SessionTokens;
  #renewal: Promise<void> | undefined;
  readonly #running = new Set<() => void>();

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

  /** Whether the access token is expired, or will be in a moment. */
  get needsRenewal(): boolean {
    const { expiresAtMs } = this.#tokens;
    return expiresAtMs !== undefined && expiresAtMs - renewalMarginMs < Date.now();
  }

  /**
   * Renews the tokens; concurrent calls share one request.
   *
   * @throws RejectedError if the session is over and there is no `logInAgain`, whose errors are thrown too;
   * UnreachableError, UnexpectedResponseError
   */
  renew(): Promise<void> {
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  /**
   * Sends an authenticated request, and repeats it with new tokens if the old ones are rejected.
   *
   * @param path including the query
   * @throws RejectedError, UnreachableError, UnexpectedResponseError
   */
  async request(path: string, request: SessionRequest = {}): Promise<unknown> {
    return (await this.requestPage(path, request)).body;
  }

  /** Does the same as `request`, and also returns the path of the next page. */
  requestPage(path: string, request: SessionRequest = {}): Promise<JsonResponse> {
    return this.#authenticated((token) => this.#send(path, { ...request, token }));
  }

  /** Does the same as `request` for a response that consists of lines. They throw UnreachableError. */
  requestLines(path: string): Promise<AsyncGenerator<string, void>> {
    return this.#authenticated((token) => requestLines(this.url + path, this.#limited({ token })));
  }

  /**
   * Ends the session, unless it is over already; the service then closes its WebSockets.
   *
   * @throws RejectedError, UnreachableError
   */
  async logOut(): Promise<void> {
    try {
      await this.#send('/users/logout', this.#refreshCredentials());
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
    }
  }

  /** Aborts requests in flight: they reject with UnreachableError. The session continues. */
  cancelRequests(): void {
    for (const abort of this.#running) abort();
  }

  async #renew(): Promise<void> {
    try {
      const { body } = await this.#send('/users/refresh-token', this.#refreshCredentials());
      if (!isRenewedSession(body)) throw new UnexpectedResponseError('/users/refresh-token');
      // The cookies of the browser may belong to another account by now.
      if (body.username !== this.account)
        throw new RejectedError('unauthenticated', 'another account', { status: 401 });
      const { lifetimeMs } = this.#tokens;
      this.#tokens = {
        ...this.#tokens,
        accessToken: body.token,
        webSocketToken: body.ws_token,
        expiresAtMs: lifetimeMs === undefined ? undefined : Date.now() + lifetimeMs,
      };
    } catch (error) {
      if (!isUnauthenticated(error) || this.options.logInAgain === undefined) throw error;
      this.#tokens = await this.options.logInAgain();
    }
    try {
      this.options.onRenewed?.(this.#tokens);
    } catch (error) {
      throwUncaught(error);
    }
  }

  #refreshCredentials(): Pick<JsonRequest, 'token' | 'withCookies'> {
    const { refreshToken } = this.#tokens;
    return refreshToken === undefined ? { withCookies: true } : { token: refreshToken };
  }

  async #authenticated<T>(send: (token: string) => Promise<T>): Promise<T> {
    if (this.needsRenewal) await this.renew();
    const { accessToken } = this.#tokens;
    try {
      return await send(accessToken);
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
      // A concurrent request may have renewed them meanwhile.
      if (this.#tokens.accessToken === accessToken) await this.renew();
      return send(this.#tokens.accessToken);
    }
  }

  #send(path: string, request: Omit<JsonRequest, 'timeoutMs'>): Promise<JsonResponse> {
    return requestJson(this.url + path, this.#limited(request));
  }

  #limited(request: Omit<JsonRequest, 'timeoutMs'>): JsonRequest {
    return {
      ...request,
      timeoutMs: this.options.requestTimeoutMs ?? defaultRequestTimeoutMs,
      running: this.#running,
    };
  }
}

export function trimUrl(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Whether the credentials were rejected. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof RejectedError && error.status === 401;
}
