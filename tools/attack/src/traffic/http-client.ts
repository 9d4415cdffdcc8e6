import { Agent, request } from 'undici';

export const responseTimeoutMs = 30_000;

export interface HttpResponse {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

export interface HttpRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/** Sends requests from one address over persistent connections, and reads each response to its end. */
export class HttpClient {
  private readonly agent: Agent;

  constructor(
    private readonly url: string,
    address: string,
    connections = 32,
  ) {
    this.agent = new Agent({ localAddress: address, connections });
  }

  /** @throws Error if the response is not complete in time */
  async send(path: string, { method = 'GET', headers, body }: HttpRequest = {}): Promise<HttpResponse> {
    const response = await request(`${this.url}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: body ?? null,
      dispatcher: this.agent,
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    const retryAfter = response.headers['retry-after'];
    return {
      status: response.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      text: await response.body.text(),
    };
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/** The outcome of a request that a documented limit rejected: the service says when to try again. */
export const limited = 'limited';

/** Returns how a request failed, which may be `limited`; undefined if it succeeded. */
export function failureOf({ status, retryAfter }: HttpResponse): string | undefined {
  if (status < 400) return undefined;
  return (status === 429 || status === 503) && retryAfter !== undefined ? limited : `status ${status}`;
}
