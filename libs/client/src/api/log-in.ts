import { RejectedError, UnexpectedResponseError } from '../errors';
import { isLoginSession, isRenewedSession } from '../protocol/contract';
import { requestJson } from './http';
import { defaultRequestTimeoutMs, isUnauthenticated, Session, type SessionTokens, trimUrl } from './session';

export interface LogInOptions {
  /** Base URL of the service, such as `https://chat.example`. */
  url: string;
  account: string;
  /**
   * Signs the sha256 of a text with the posting or active key of the account, as 130 hex digits: Hive Keychain's
   * `requestSignBuffer` and hive-js's `Signature.signBufferSha256` do it. Called twice if the clock of the device is
   * wrong or signing took over five minutes.
   */
  sign: (text: string) => Promise<string> | string;
  /** Called with renewed tokens, which should be saved. */
  onRenewed?: (tokens: SessionTokens) => void;
  /** Signs in again when the session ends. For bots, since it does not ask the user. */
  logsInAgain?: boolean;
  /**
   * Leaves the refresh token to the service's HttpOnly cookies, so that `restoreSession` can continue the session after
   * a reload. Requires a page of the service's own origin.
   */
  byCookies?: boolean;
  /** Time limit of a request. */
  requestTimeoutMs?: number;
}

/**
 * Starts a session with a signature.
 *
 * @throws RejectedError with the service's code, such as `invalid-signature`; UnreachableError; and what `sign` throws
 */
export async function logIn(options: LogInOptions): Promise<Session> {
  const { url, onRenewed, requestTimeoutMs } = options;
  return new Session({
    url,
    tokens: await signIn(options),
    onRenewed,
    requestTimeoutMs,
    ...(options.logsInAgain === true && { logInAgain: () => signIn(options) }),
  });
}

/**
 * Continues the session of the service's cookies, in a page of the same origin.
 *
 * @returns undefined if there is none, or it has ended
 * @throws RejectedError, UnreachableError
 */
export async function restoreSession(
  options: Pick<LogInOptions, 'url' | 'onRenewed' | 'requestTimeoutMs'>,
): Promise<Session | undefined> {
  const { url, onRenewed, requestTimeoutMs } = options;
  try {
    const { body } = await requestJson(`${trimUrl(url)}/users/verify`, {
      withCookies: true,
      timeoutMs: requestTimeoutMs ?? defaultRequestTimeoutMs,
    });
    if (!isRenewedSession(body)) throw new UnexpectedResponseError('/users/verify');
    const { username: account, token: accessToken, ws_token: webSocketToken } = body;
    const tokens = { account, admin: false, accessToken, webSocketToken, refreshToken: undefined };
    return new Session({ url, tokens, onRenewed, requestTimeoutMs });
  } catch (error) {
    if (isUnauthenticated(error)) return undefined;
    throw error;
  }
}

function signIn(options: LogInOptions): Promise<SessionTokens> {
  return atServiceTime((clockOffsetMs) => signInAt(options, clockOffsetMs));
}

/**
 * Sends a request that is signed with the time. If the clock of the device is wrong by at most a day, or signing took
 * too long, it is sent once more with the time of the service.
 *
 * @param send takes how far the service's clock is ahead
 */
export async function atServiceTime<T>(send: (clockOffsetMs: number) => Promise<T>): Promise<T> {
  try {
    return await send(0);
  } catch (error) {
    const clockOffsetMs = clockOffsetIn(error);
    if (clockOffsetMs === undefined) throw error;
    return send(clockOffsetMs);
  }
}

/**
 * A clock that is wrong by more is not corrected: a service that lies about the time could get a log-in for years from
 * now.
 */
const maxClockErrorMs = 24 * 60 * 60 * 1_000;

/**
 * Returns how far the service's clock is ahead of this device's, if the error is `proof-expired` and has the time of
 * the service. Rounded to whole seconds so that the milliseconds of two log-ins stay distinct: a proof is valid once.
 */
function clockOffsetIn(error: unknown): number | undefined {
  if (!(error instanceof RejectedError) || error.code !== 'proof-expired') return undefined;
  const { respondedAtMs } = error.details;
  if (respondedAtMs === undefined) return undefined;
  const offsetMs = Math.round((respondedAtMs - Date.now()) / 1_000) * 1_000;
  return Math.abs(offsetMs) > maxClockErrorMs ? undefined : offsetMs;
}

async function signInAt(options: LogInOptions, clockOffsetMs: number): Promise<SessionTokens> {
  const { url, account, sign, byCookies = false, requestTimeoutMs } = options;
  const ts = String(Date.now() + clockOffsetMs);
  const query = new URLSearchParams({ username: account, ts, sig: await sign(account + ts) });
  const { body } = await requestJson(`${trimUrl(url)}/users/login?${query.toString()}`, {
    withCookies: byCookies,
    timeoutMs: requestTimeoutMs ?? defaultRequestTimeoutMs,
  });
  if (!isLoginSession(body)) throw new UnexpectedResponseError('/users/login');
  // By the clock of this device, since `needsRenewal` compares it with that clock.
  const expiresAtMs = Date.parse(body.expires_at) - clockOffsetMs;
  return {
    account: body.username,
    admin: body.admin,
    accessToken: body.token,
    webSocketToken: body.ws_token,
    refreshToken: byCookies ? undefined : body.refresh_token,
    ...(!Number.isNaN(expiresAtMs) && { expiresAtMs, lifetimeMs: expiresAtMs - Date.now() }),
  };
}
