import { RejectedError, UnreachableError } from '../errors';
import { isObject, isString, parseJson } from '../protocol/guards';

export interface JsonRequest {
  method?: 'GET' | 'POST';
  /** Sent as JSON. */
  body?: unknown;
  token?: string | undefined;
  /**
   * Sends and stores cookies, if the page has the origin of the service. By default no cookies are sent: they could
   * belong to another session than `token`.
   */
  withCookies?: boolean;
  timeoutMs: number;
  signals?: readonly AbortSignal[];
}

/** A response of the service. */
export interface JsonResponse {
  /** The parsed JSON; undefined if the body is empty or not JSON. */
  body: unknown;
  /** The path of the next page of a list, with its query; undefined if this page is the last. */
  next: string | undefined;
}

/**
 * @throws RejectedError if the status is an error; UnreachableError also after the time limit, and if one of
 * `signals` is aborted
 */
export async function requestJson(url: string, request: JsonRequest): Promise<JsonResponse> {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  const timer = setTimeout(abort, request.timeoutMs);
  const { signals = [] } = request;
  for (const signal of signals) signal.addEventListener('abort', abort);
  if (signals.some(({ aborted }) => aborted)) abort();
  try {
    return await responseOf(await fetch(url, { ...fetchOptionsOf(request), signal: controller.signal }));
  } catch (error) {
    if (error instanceof RejectedError) throw error;
    throw new UnreachableError(`No chat service responds at ${new URL(url).origin}`, { cause: error });
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', abort);
  }
}

function fetchOptionsOf({ method = 'GET', body, token, withCookies = false }: JsonRequest) {
  return {
    method,
    credentials: withCookies ? ('same-origin' as const) : ('omit' as const),
    headers: {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

async function responseOf(response: Response): Promise<JsonResponse> {
  const body = parseJson(await response.text());
  if (!response.ok) throw errorOf(response, body);
  return { body, next: /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] };
}

function errorOf(response: Response, body: unknown): RejectedError {
  const { code, message, requestId }: { code?: unknown; message?: unknown; requestId?: unknown } = isObject(body)
    ? body
    : {};
  const { status } = response;
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? NaN);
  const respondedAtMs = Date.parse(response.headers.get('date') ?? '');
  return new RejectedError(
    // Responses that are not the service's own, such as a proxy's page, have no code.
    isString(code) ? code : status >= 500 ? 'unavailable' : `http-${status}`,
    isString(message) ? message : `HTTP status ${status}`,
    {
      status,
      ...(!Number.isNaN(retryAfterSeconds) && { retryAfterMs: retryAfterSeconds * 1_000 }),
      ...(isString(requestId) && { requestId }),
      ...(!Number.isNaN(respondedAtMs) && { respondedAtMs }),
    },
  );
}

/** Reads the body of a response that the caller does not accept, and returns it as an error. */
export async function readError(response: Response): Promise<RejectedError> {
  return errorOf(response, parseJson(await response.text()));
}
