import { Pool } from 'undici';
import { Cancellation } from './cancellation';
import { type RecordReply } from './record-reply';
import { type HttpRequest, type HttpResponse, isSuccess, sendRequest } from './http/http-request';
import { type NodeHealth, type RunningCall } from './health/node-health';
import { type CallPurpose, isSentOnce, type NodeCall } from './node-call';
import { failed, type NodeReply } from './node-reply';
import { isReset, replyOfError, replyOfStatus } from './classify-reply';
import { LackingApis } from './lacking-apis';

/** The position of a node on the chain. */
export interface NodeHead {
  readonly block: number;
  readonly irreversibleBlock: number;
  /** The time of the head block. */
  readonly timeMs: number;
}

export interface CallReport {
  readonly node: HiveNode;
  readonly method: string;
  readonly reply: NodeReply;
  readonly ms: number;
}

export interface HiveNodeOptions {
  /** Maximum number of connections for each purpose; probes share one. */
  readonly connections: number;
  /** The node is full with this many calls beyond `connections`, of all purposes but `probe`. */
  readonly maxQueued: number;
  readonly maxResponseBytes: number;
  readonly recordReply: RecordReply;
  /** Called after each call, for logs and metrics. Must not throw. */
  readonly onCall?: ((report: CallReport) => void) | undefined;
}

/**
 * Time that an idle connection is kept, in milliseconds. Proxies usually close it after 60 to 75 s; if a server
 * announces less (`Keep-Alive: timeout=5`), that counts.
 */
const keepAliveMs = 20_000;
const connectTimeoutMs = 2_000;
/** Time limit of the question whether a node has an API, in milliseconds. */
const apiCheckTimeoutMs = 5_000;
/** Statuses of servers without an API at a path: not found, wrong method, not implemented. */
const statusesWithoutApi = new Set([404, 405, 501]);

/** Maximum length of a reader's error in a report, in characters. */
const maxDetailLength = 100;

/** One Hive API node, over its own connections. */
export class HiveNode {
  /** Host and port, which are safe to log: credentials may be anywhere else in a URL. */
  readonly name: string;
  /** The node's position when its head was last read; undefined before that, or if the node does not report it. */
  head: NodeHead | undefined;
  private pending = 0;
  private lastId = 0;
  private isClosed = false;
  private readonly path: string;
  private readonly headers: Record<string, string>;
  private readonly pools: Readonly<Record<CallPurpose, Pool>>;
  private readonly lackingApis = new LackingApis();

  constructor(
    url: URL,
    private readonly options: HiveNodeOptions,
    readonly health: NodeHealth,
  ) {
    this.name = url.host;
    this.path = url.pathname + url.search;
    this.headers = { 'content-type': 'application/json', accept: 'application/json', ...credentialsOf(url) };
    const pool = (connections: number, pipelining: number): Pool =>
      new Pool(url.origin, {
        connections,
        pipelining,
        keepAliveTimeout: keepAliveMs,
        // Otherwise a longer announcement counts too, up to ten minutes.
        keepAliveMaxTimeout: keepAliveMs,
        connect: { timeout: connectTimeoutMs },
        maxResponseSize: options.maxResponseBytes,
        // `timeoutMs` or the cancellation ends a call instead.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
    this.pools = {
      read: pool(options.connections, 1),
      list: pool(options.connections, 1),
      // Each over a new connection. An idle one may close just as it is used, and it would be unknown whether the node
      // received the write.
      write: pool(options.connections, 0),
      post: pool(options.connections, 0),
      probe: pool(1, 1),
    };
  }

  /** Calls in flight or queued, without probes. A cancelled call counts while it is in the queue. */
  get load(): number {
    return this.pending;
  }

  /** Whether callers should choose another node; `send` does not check it. */
  get isFull(): boolean {
    return this.pending >= this.options.connections + this.options.maxQueued;
  }

  /** Calls the node, and records what its reply says about its health. Never rejects: errors are in the reply. */
  send<R, E>(call: NodeCall<R, E>, cancellation = new Cancellation()): Promise<NodeReply<R, E>> {
    const running = this.health.begin(call.kind);
    const startedMs = performance.now();
    this.lastId += 1;
    const id = this.lastId;
    const request = this.requestOf(call, id);
    const done = (reply: NodeReply<R, E>): NodeReply<R, E> => this.report(call.method, reply, running, startedMs);
    const onResponse = (response: HttpResponse): NodeReply<R, E> => {
      const reply = request.readsBody(response.status) ? readReply(call, response, id) : replyOfStatus(response);
      // The caller gives back the bytes of other replies.
      if (reply.kind === 'failed') call.budget?.giveBack(response.body.length);
      if (reply.kind === 'not-served' && call.pathRequest !== undefined)
        void this.checkApi(call.method, call.pathRequest.apiRoot);
      return done(reply);
    };
    const onError = (error: unknown): NodeReply<R, E> => done(replyOfError(error, cancellation.reason));
    return this.request(call, request, call.timeoutMs, cancellation).then(onResponse, (error: unknown) => {
      // An idle connection may close just as it is used. A read can be repeated.
      if (isSentOnce(call) || cancellation.reason !== undefined || this.isClosed || !isReset(error))
        return onError(error);
      const leftMs = call.timeoutMs && call.timeoutMs - (performance.now() - startedMs);
      // The process stood still meanwhile.
      if (leftMs !== undefined && leftMs <= 0) return onError(error);
      return this.request(call, request, leftMs, cancellation).then(onResponse, onError);
    });
  }

  /** Whether the node was asked for this API within the last minutes, and lacked it. */
  lacksApi(api: string): boolean {
    return this.lackingApis.lacks(api, performance.now());
  }

  /** Asks for the root of an API. Never rejects. @returns whether there is one */
  async findApi(root: string, timeoutMs: number): Promise<NodeReply<boolean, never>> {
    const request = { method: 'GET', path: root, headers: this.headers, body: null, readsBody: () => true } as const;
    try {
      const response = await this.request({ purpose: 'probe' }, request, timeoutMs, new Cancellation());
      const isMissing = statusesWithoutApi.has(response.status) || isOtherServer(response.body);
      if (!isMissing && response.status >= 500) return replyOfStatus(response);
      return { kind: 'result', result: !isMissing };
    } catch (error) {
      return replyOfError(error, undefined);
    }
  }

  /** Ends the calls in flight, and leaves no connection. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(Object.values(this.pools).map((pool) => pool.destroy()));
  }

  /** Asks whether the node has an API at all, if it lacks a path of it. Says nothing about its health. */
  private async checkApi(api: string, root: string): Promise<void> {
    if (!this.lackingApis.startCheck(api, performance.now())) return;
    const reply = await this.findApi(root, apiCheckTimeoutMs);
    if (reply.kind === 'result') this.lackingApis.record(api, !reply.result);
  }

  private requestOf(
    { method, paramsText, pathRequest }: NodeCall<unknown, unknown>,
    id: number,
  ): Omit<HttpRequest, 'budget' | 'timeoutMs'> {
    const { headers } = this;
    if (pathRequest !== undefined) {
      const { httpMethod, target, body } = pathRequest;
      return { method: httpMethod, path: target, headers, body, readsBody: () => true };
    }
    const params = paramsText === undefined ? '' : `,"params":${paramsText}`;
    const body = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${params}}`;
    return { method: 'POST', path: this.path, headers, body, readsBody: isSuccess };
  }

  private request(
    { purpose, budget }: Pick<NodeCall<unknown, unknown>, 'purpose' | 'budget'>,
    request: Omit<HttpRequest, 'budget' | 'timeoutMs'>,
    timeoutMs: number | undefined,
    cancellation: Cancellation,
  ): Promise<HttpResponse> {
    const weight = purpose === 'probe' ? 0 : 1;
    this.pending += weight;
    return sendRequest(this.pools[purpose], { ...request, budget, timeoutMs }, cancellation, () => {
      this.pending -= weight;
    });
  }

  private report<R, E>(
    method: string,
    reply: NodeReply<R, E>,
    running: RunningCall,
    startedMs: number,
  ): NodeReply<R, E> {
    // A call that was ended by closing says nothing about the node.
    if (this.isClosed && reply.kind === 'failed') running.ignored();
    else {
      this.options.recordReply(reply, running);
      this.options.onCall?.({ node: this, method, reply, ms: performance.now() - startedMs });
    }
    return reply;
  }
}

/**
 * Reads a response. If the reader throws, that may be the caller's fault, so the cause of the failure is `call`;
 * another node may respond.
 */
function readReply<R, E>(
  call: Pick<NodeCall<R, E>, 'readResponse'>,
  response: HttpResponse,
  id: number,
): NodeReply<R, E> {
  try {
    return call.readResponse(response.body, id, response);
  } catch (error) {
    return failed(
      { kind: 'wrong-shape', detail: `cannot be read: ${String(error).slice(0, maxDetailLength)}` },
      'call',
      true,
    );
  }
}

/**
 * Whether a response to a path is not of a REST API: hived answers every path as JSON-RPC, and proxies serve pages at
 * paths that they do not know.
 */
export function isOtherServer(body: Buffer): boolean {
  const start = body.subarray(0, 200).toString().trimStart();
  return start.startsWith('<') || /^\{\s*"jsonrpc"/.test(start);
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
