import { errors, Pool } from 'undici';
import { type z } from 'zod';
import { type NodeAnswer, fault, readAnswer } from './json-rpc';

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

/** One Hive API node, over its own pool of kept-alive connections. */
export class HiveNode {
  /** Host and port: what is safe to print, since credentials may stand anywhere else in a URL. */
  readonly name: string;
  private readonly pool: Pool;
  private readonly path: string;
  private readonly headers: Record<string, string>;
  private lastId = 0;

  constructor(url: URL, options: HiveNodeOptions) {
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
  async ask<T>(method: string, params: unknown, result: z.ZodType<T>, limitMs: number): Promise<NodeAnswer<T>> {
    this.lastId += 1;
    const id = this.lastId;
    const request = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort();
    }, limitMs);
    try {
      const { status, body } = await this.postAgainIfReset(request, limit.signal);
      return status === undefined ? readAnswer(body, method, id, result) : fault('http-status', `${status}`);
    } catch (error) {
      if (limit.signal.aborted) return fault('timeout');
      if (error instanceof errors.ResponseExceededMaxSizeError) return fault('too-large');
      return fault('unreachable', codeOf(error));
    } finally {
      clearTimeout(timer);
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
    const { statusCode, body } = await this.pool.request({
      method: 'POST',
      path: this.path,
      headers: this.headers,
      body: request,
      signal,
    });
    if (statusCode >= 200 && statusCode < 300) return { body: await body.text() };
    await body.dump({ limit: errorPageBytes, signal });
    return { status: statusCode, body: '' };
  }
}

/** The body; or the status if it is none of success. */
interface Posted {
  readonly status?: number;
  readonly body: string;
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
