import { readFileSync, writeFileSync } from 'node:fs';
import { withPlaceholders } from './placeholders';

/** Headers that are not recorded. */
const omittedHeaders = new Set([
  // They differ from run to run, or follow from the body.
  ...['date', 'age', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'],
  ...['x-request-id', 'x-sync-lag-seconds'],
  // They are the same in every response.
  ...['content-security-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy'],
  ...['cross-origin-embedder-policy', 'origin-agent-cluster', 'referrer-policy', 'strict-transport-security'],
  ...['x-content-type-options', 'x-dns-prefetch-control', 'x-download-options', 'x-frame-options'],
  ...['x-permitted-cross-domain-policies', 'x-xss-protection'],
  // Recorded as a list.
  'set-cookie',
]);

export interface RecordedRequest {
  readonly path: string;
  readonly method?: string;
  /** Describes the sender and its credentials. */
  readonly by?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is if it is a string, otherwise as JSON. */
  readonly body?: unknown;
}

/** A scripted session with a service, compared with one that was recorded before a change. */
export class Recording {
  private readonly exchanges: object[] = [];

  /** @param url of the service */
  constructor(private readonly url: string) {}

  /**
   * Sends a request and records it with its response, without the headers `Authorization` and `Cookie`; `by` describes
   * them.
   */
  async request({ path, method = 'GET', by, headers = {}, body }: RecordedRequest): Promise<Response> {
    const sent = Object.entries(headers).filter(([name]) => name !== 'Authorization' && name !== 'Cookie');
    const response = await fetch(this.url + path, {
      method,
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
      body: bodyTextOf(body),
      redirect: 'manual',
    });
    this.add({
      request: `${method} ${path}`,
      ...(by !== undefined && { by }),
      ...(sent.length > 0 && { sent: Object.fromEntries(sent) }),
      ...(body !== undefined && { body }),
      status: response.status,
      headers: shownHeaders(response.headers),
      response: valueOf(await response.clone().text()),
    });
    return response;
  }

  /** Records an event that is not a request. */
  add(exchange: object): void {
    this.exchanges.push(exchange);
  }

  /**
   * Returns the new and the stored recording, with placeholders for values that differ between runs. `RECORD=true`
   * first writes the file.
   */
  comparedWith(file: string): { now: unknown; recorded: unknown } {
    const text = withPlaceholders(`${JSON.stringify(this.exchanges, undefined, 2)}\n`);
    if (process.env['RECORD'] === 'true') writeFileSync(file, text);
    return { now: JSON.parse(text), recorded: JSON.parse(readFileSync(file, 'utf8')) };
  }
}

function bodyTextOf(body: unknown): string | null {
  if (body === undefined) return null;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function shownHeaders(headers: Headers): Record<string, unknown> {
  const shown = [...headers].filter(([name]) => !omittedHeaders.has(name)).toSorted();
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(shown), ...(cookies.length > 0 && { 'set-cookie': cookies }) };
}

/** The parsed JSON if it represents the text exactly; otherwise the text. */
function valueOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}
