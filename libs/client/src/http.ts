import { RefusedError, UnreachableError } from './errors';
import { isNumber, isObject, isText } from './guards';

export interface JsonRequest {
  method?: 'GET' | 'POST';
  /** Goes as JSON. */
  body?: unknown;
  token?: string | undefined;
  /** Sends and accepts the cookies of the service, if the page is of the same origin. */
  withCookies?: boolean;
  timeoutMs: number;
  signal?: AbortSignal;
}

/** What the service answers. */
export interface JsonResponse {
  /** Undefined where it answers nothing. */
  body: unknown;
  /** The path of the next page of a list, with its query; undefined if this page is the last. */
  next: string | undefined;
}

/** @throws RefusedError, UnreachableError */
export async function requestJson(url: string, request: JsonRequest): Promise<JsonResponse> {
  const limit = new AbortController();
  const abort = () => {
    limit.abort();
  };
  const timer = setTimeout(abort, request.timeoutMs);
  request.signal?.addEventListener('abort', abort);
  if (request.signal?.aborted === true) abort();
  try {
    return await answerOf(await fetch(url, { ...partsOf(request), signal: limit.signal }));
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw new UnreachableError(`No chat service answers at ${new URL(url).origin}`, { cause: error });
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', abort);
  }
}

function partsOf({ method = 'GET', body, token, withCookies = false }: JsonRequest) {
  return {
    method,
    // Tokens say who we are; a cookie of another session beside them would only confuse.
    credentials: withCookies ? ('same-origin' as const) : ('omit' as const),
    headers: {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

async function answerOf(response: Response): Promise<JsonResponse> {
  const body = parseJson(await response.text());
  if (!response.ok) throw refusalOf(response, body);
  return { body, next: /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] };
}

function refusalOf(response: Response, body: unknown): RefusedError {
  const { code, message, requestId }: { code?: unknown; message?: unknown; requestId?: unknown } = isObject(body)
    ? body
    : {};
  const { status } = response;
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? undefined);
  return new RefusedError(
    // What is not the service's own, such as a proxy's page, has no code.
    isText(code) ? code : status >= 500 ? 'unavailable' : `http-${status}`,
    isText(message) ? message : `HTTP status ${status}`,
    {
      status,
      ...(isNumber(retryAfterSeconds) &&
        !Number.isNaN(retryAfterSeconds) && { retryAfterMs: retryAfterSeconds * 1_000 }),
      ...(isText(requestId) && { requestId }),
    },
  );
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
