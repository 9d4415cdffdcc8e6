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
  /**
   * Has a function that aborts the request as long as it runs. A signal for all requests would be simpler, but Node.js
   * warns of more than ten listeners.
   */
  running?: Set<() => void>;
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
  const running = new RunningRequest(url, request);
  try {
    return await running.wait(async () => responseOf(await running.response()));
  } finally {
    running.end();
  }
}

/**
 * Requests a response that consists of lines. Each line is read when it is needed.
 *
 * @returns the lines, which throw UnreachableError if the connection is lost, or nothing comes for the time limit
 * @throws as `requestJson`
 */
export async function requestLines(url: string, request: JsonRequest): Promise<AsyncGenerator<string, void>> {
  const running = new RunningRequest(url, request);
  try {
    const response = await running.wait(() => running.response());
    if (response.ok) return linesOf(response, running);
    throw await running.wait(() => readError(response));
  } catch (error) {
    running.end();
    throw error;
  }
}

async function* linesOf(response: Response, running: RunningRequest): AsyncGenerator<string, void> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const piece = await running.wait(async () => reader?.read());
      if (piece?.value === undefined) return;
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    running.end();
  }
}

/** A request that its signals and a time limit abort. */
class RunningRequest {
  readonly #controller = new AbortController();
  readonly #abort = (): void => {
    this.#controller.abort();
  };

  constructor(
    private readonly url: string,
    private readonly request: JsonRequest,
  ) {
    const { signals = [], running } = request;
    running?.add(this.#abort);
    for (const signal of signals) signal.addEventListener('abort', this.#abort);
    if (signals.some(({ aborted }) => aborted)) this.#abort();
  }

  response(): Promise<Response> {
    return fetch(this.url, { ...fetchOptionsOf(this.request), signal: this.#controller.signal });
  }

  /** Waits for a part of the response, up to the time limit. @throws UnreachableError */
  async wait<T>(part: () => Promise<T>): Promise<T> {
    const timer = setTimeout(this.#abort, this.request.timeoutMs);
    try {
      return await part();
    } catch (error) {
      if (error instanceof RejectedError) throw error;
      throw new UnreachableError(`No chat service responds at ${new URL(this.url).origin}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Aborts what was not read. */
  end(): void {
    for (const signal of this.request.signals ?? []) signal.removeEventListener('abort', this.#abort);
    this.request.running?.delete(this.#abort);
    this.#abort();
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

/** The error in the body of a response. A response that is not the service's own, such as a proxy's page, has none. */
function errorOf(response: Response, body: unknown): RejectedError {
  const { code, message, requestId }: { code?: unknown; message?: unknown; requestId?: unknown } = isObject(body)
    ? body
    : {};
  const { status } = response;
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? NaN);
  const respondedAtMs = Date.parse(response.headers.get('date') ?? '');
  return new RejectedError(
    isString(code) ? code : codeOfStatus(status),
    isString(message) ? message : `HTTP status ${status}`,
    {
      status,
      ...(!Number.isNaN(retryAfterSeconds) && { retryAfterMs: retryAfterSeconds * 1_000 }),
      ...(isString(requestId) && { requestId }),
      ...(!Number.isNaN(respondedAtMs) && { respondedAtMs }),
    },
  );
}

function codeOfStatus(status: number): string {
  return status >= 500 ? 'unavailable' : `http-${status}`;
}

/** Reads the body of a response that the caller does not accept, and returns it as an error. */
export async function readError(response: Response): Promise<RejectedError> {
  return errorOf(response, parseJson(await response.text()));
}
