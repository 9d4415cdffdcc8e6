import { errors, Pool } from 'undici';
import { type z } from 'zod';
import { type CallKind } from './call-kind';
import { type NodeAnswer, fault, readAnswer } from './json-rpc';
import { type NodeHealth } from './node-health';
import { retryAfterMs } from './retry-after';

export interface HiveNodeOptions {
  /** Longest answer that is read, in bytes. */
  readonly maxAnswerBytes: number;
  /** Connections at the most; calls beyond them wait in line, within their time limit. */
  readonly maxConnections: number;
}

/**
 * How long an idle connection is kept. Less than the 60 to 75 s after which proxies usually close it; where a server
 * announces less (`Keep-Alive: timeout=5`), that counts.
 */
const keepAliveMs = 20_000;

/** How much of the body of an error page is read, so that its connection can be used again. */
const errorPageBytes = 16_384;

/** A call of a method, and the shape of its result. */
export interface HiveCall<T> {
  readonly method: string;
  readonly params: unknown;
  readonly result: z.ZodType<T>;
  readonly kind: CallKind;
  /** Time limit of this call to one node. */
  readonly timeoutMs: number;
}

/** One Hive API node, over its own pool of kept-alive connections. */
export class HiveNode {
  /** Host and port: what is safe to print, since credentials may stand anywhere else in a URL. */
  readonly name: string;
  private readonly pool: Pool;
  private readonly path: string;
  private readonly headers: Record<string, string>;
  private lastId = 0;

  /** @param health of this node, by what its calls have come to */
  constructor(
    url: URL,
    options: HiveNodeOptions,
    readonly health: NodeHealth,
  ) {
    this.name = url.host;
    this.path = url.pathname + url.search;
    this.headers = { 'content-type': 'application/json', accept: 'application/json', ...credentialsOf(url) };
    this.pool = new Pool(url.origin, {
      connections: options.maxConnections,
      keepAliveTimeout: keepAliveMs,
      maxResponseSize: options.maxAnswerBytes,
      // The time limit of a call covers these.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Never rejects: whatever is wrong is in the answer. */
  async ask<T>({ method, params, result }: HiveCall<T>, limitMs: number, signal: AbortSignal): Promise<NodeAnswer<T>> {
    this.lastId += 1;
    const id = this.lastId;
    const request = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const limit = new AbortController();
    const abort = (): void => {
      limit.abort();
    };
    const timer = setTimeout(abort, limitMs);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    try {
      const posted = await this.postAgainIfReset(request, limit.signal);
      return posted.status === undefined ? readAnswer(posted.body, method, id, result) : faultOfStatus(posted);
    } catch (error) {
      if (signal.aborted) return { kind: 'aborted' };
      if (limit.signal.aborted) return fault('timeout');
      if (error instanceof errors.ResponseExceededMaxSizeError) return fault('too-large');
      return fault('unreachable', codeOf(error));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Breaks off what is under way. */
  destroy(): Promise<void> {
    return this.pool.destroy();
  }

  /** A node may close an idle connection in the moment in which it is used again; that is no fault of the node. */
  private async postAgainIfReset(request: string, signal: AbortSignal): Promise<Posted> {
    try {
      return await this.post(request, signal);
    } catch (error) {
      if (signal.aborted || !resetCodes.has(codeOf(error))) throw error;
      return this.post(request, signal);
    }
  }

  private async post(request: string, signal: AbortSignal): Promise<Posted> {
    const { statusCode, headers, body } = await this.pool.request({
      method: 'POST',
      path: this.path,
      headers: this.headers,
      body: request,
      signal,
    });
    if (statusCode >= 200 && statusCode < 300) return { body: await body.text() };
    await body.dump({ limit: errorPageBytes, signal });
    return { status: statusCode, retryAfter: headers['retry-after'], body: '' };
  }
}

/** The body; or the status if it is none of success. */
interface Posted {
  readonly status?: number;
  readonly retryAfter?: string | string[] | undefined;
  readonly body: string;
}

function faultOfStatus({ status, retryAfter }: Posted): NodeAnswer<never> {
  const waitMs = retryAfterMs(retryAfter);
  const answer = fault('http-status', `${status}`);
  return waitMs === undefined ? answer : { ...answer, fault: { ...answer.fault, retryAfterMs: waitMs } };
}

const resetCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Such as `ECONNREFUSED`: the code alone, since a message may hold a URL. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
