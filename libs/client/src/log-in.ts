import { UnexpectedAnswerError } from './errors';
import { requestJson } from './http';
import { isLoginAnswer, isRenewalAnswer } from './resource-guards';
import { defaultRequestTimeoutMs, isUnauthenticated, Session, type SessionTokens, trimUrl } from './session';

export interface LogInOptions {
  /** Base URL of the service, such as `https://chat.example`. */
  url: string;
  account: string;
  /**
   * Signs a text with the posting or active key of the account: 130 hex digits, over sha256 of the text. Hive Keychain's
   * `requestSignBuffer` and hive-js's `Signature.signBufferSha256` do it.
   */
  sign: (text: string) => Promise<string> | string;
  /** Called with new tokens when they are renewed, so that they can be kept. */
  onRenewed?: (tokens: SessionTokens) => void;
  /** Log in anew by `sign` when the session is over, by its age say. For bots; a person would rather be asked first. */
  logsInAgain?: boolean;
  /**
   * Leaves the refresh token to the service's HttpOnly cookies, from which `restoreSession` continues the session after a
   * reload. Needs a page of the service's own origin.
   */
  byCookies?: boolean;
  /** How long a request may take. */
  requestTimeoutMs?: number;
}

/**
 * Begins a session by a signature.
 *
 * @throws RefusedError with the service's code, such as `invalid-signature`; UnreachableError; and what `sign` throws
 */
export async function logIn(options: LogInOptions): Promise<Session> {
  const { url, onRenewed, requestTimeoutMs } = options;
  const again = () => signIn(options);
  return new Session({
    url,
    tokens: await again(),
    onRenewed,
    requestTimeoutMs,
    ...(options.logsInAgain === true && { logInAgain: again }),
  });
}

/**
 * Continues the session of the service's cookies, in a page of the same origin.
 *
 * @returns undefined if there is none, or it is over
 * @throws RefusedError, UnreachableError
 */
export async function restoreSession(
  options: Pick<LogInOptions, 'url' | 'onRenewed' | 'requestTimeoutMs'>,
): Promise<Session | undefined> {
  const { url, onRenewed, requestTimeoutMs } = options;
  try {
    const { body: answer } = await requestJson(`${trimUrl(url)}/users/verify`, {
      withCookies: true,
      timeoutMs: requestTimeoutMs ?? defaultRequestTimeoutMs,
    });
    if (!isRenewalAnswer(answer)) throw new UnexpectedAnswerError('/users/verify');
    const { username: account, token: accessToken, ws_token: webSocketToken } = answer;
    const tokens = { account, admin: false, accessToken, webSocketToken, refreshToken: undefined };
    return new Session({ url, tokens, onRenewed, requestTimeoutMs });
  } catch (error) {
    if (isUnauthenticated(error)) return undefined;
    throw error;
  }
}

async function signIn({
  url,
  account,
  sign,
  byCookies = false,
  requestTimeoutMs,
}: LogInOptions): Promise<SessionTokens> {
  const ts = String(Date.now());
  const query = new URLSearchParams({ username: account, ts, sig: await sign(account + ts) });
  const { body: answer } = await requestJson(`${trimUrl(url)}/users/login?${query.toString()}`, {
    withCookies: byCookies,
    timeoutMs: requestTimeoutMs ?? defaultRequestTimeoutMs,
  });
  if (!isLoginAnswer(answer)) throw new UnexpectedAnswerError('/users/login');
  const expiresAtMs = Date.parse(answer.expires_at);
  return {
    account: answer.username,
    admin: answer.admin,
    accessToken: answer.token,
    webSocketToken: answer.ws_token,
    refreshToken: byCookies ? undefined : answer.refresh_token,
    ...(!Number.isNaN(expiresAtMs) && { expiresAtMs, lifetimeMs: expiresAtMs - Date.now() }),
  };
}
