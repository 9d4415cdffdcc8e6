import { loginSession, renewedSession } from '@waggle/contracts';
import { signByHiveJs } from '@waggle/testing';
import { PlainError } from '../plain-error';

/** How long the service may take to answer. */
const answerTimeoutMs = 10_000;

/** What a schema of the contracts offers. */
interface Schema<T> {
  parse(value: unknown): T;
}

/** The service cannot be reached, or is not ready: it may be later. */
export class UnreachableError extends PlainError {}

/** The service does not accept our credentials. */
export class RefusedError extends PlainError {}

/** A session of the REST API: signs in with an account key, and stays signed in. */
export class Session {
  #accessToken = '';
  #refreshToken = '';
  #webSocketToken = '';

  constructor(
    private readonly url: string,
    private readonly account: string,
    private readonly key: string,
  ) {}

  /** The token that proves who we are to the WebSocket. */
  get webSocketToken(): string {
    return this.#webSocketToken;
  }

  async signIn(): Promise<void> {
    const ts = String(Date.now());
    const query = new URLSearchParams({ username: this.account, ts, sig: sign(this.account + ts, this.key) });
    const session = loginSession.parse(await this.#fetch(`/users/login?${query.toString()}`));
    this.#accessToken = session.token;
    this.#refreshToken = session.refresh_token;
    this.#webSocketToken = session.ws_token;
  }

  /** New tokens for the session; a new session when this one is gone. */
  async renew(): Promise<void> {
    try {
      const renewed = renewedSession.parse(await this.#fetch('/users/refresh-token', this.#refreshToken));
      this.#accessToken = renewed.token;
      this.#webSocketToken = renewed.ws_token;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      await this.signIn();
    }
  }

  async get<T>(path: string, schema: Schema<T>): Promise<T> {
    return schema.parse(await this.#fetch(path, this.#accessToken));
  }

  /** @throws UnreachableError RefusedError PlainError */
  async #fetch(path: string, token?: string): Promise<unknown> {
    const response = await fetch(this.url + path, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(answerTimeoutMs),
    }).catch(() => {
      throw new UnreachableError(`No chat service answers at ${this.url}; npm start runs one.`);
    });
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok) return body;
    const message = messageOf(body) ?? `HTTP status ${response.status}`;
    if (response.status === 401) throw new RefusedError(`The service does not let ${this.account} in: ${message}`);
    if (response.status >= 500) throw new UnreachableError(`The service cannot answer now: ${message}`);
    throw new PlainError(`The service refuses: ${message}`);
  }
}

function messageOf(body: unknown): string | undefined {
  const isError = typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';
  return isError ? String(body.message) : undefined;
}

/** @throws PlainError when the key is not one in wallet import format. */
function sign(text: string, wif: string): string {
  try {
    return signByHiveJs(text, wif);
  } catch {
    throw new PlainError('The key is not a private key in wallet import format (it begins with a 5).');
  }
}
