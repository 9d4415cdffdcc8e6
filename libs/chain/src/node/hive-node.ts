import { Pool } from 'undici';
import { type CallKind } from './call-kind';
import { Cancellation } from './cancellation';
import { type RecordReply } from './record-reply';
import { type ByteBudget, isSuccess, post, type Posted } from './http-post';
import { type NodeHealth, type RunningCall } from './node-health';
import { failed, type NodeReply, type ReadResponse } from './node-reply';
import { isReset, replyOfError, replyOfStatus } from './classify-reply';

/** The connections for a call: separate for each purpose, so that a probe of the node's health does not wait behind calls. */
export type ConnectionPool = 'read' | 'list' | 'write' | 'probe';

/** A method, the JSON text of its parameters, and how its response is read. */
export interface NodeCall<Result, RpcError> {
  readonly method: string;
  readonly paramsText: string | undefined;
  readonly kind: CallKind;
  readonly pool: ConnectionPool;
  readonly read: ReadResponse<Result, RpcError>;
  /** Of the response; undefined: `maxResponseBytes` of the node alone limits it. */
  readonly budget?: ByteBudget | undefined;
  /** For this call to one node; undefined: only its cancellation ends it. */
  readonly timeoutMs?: number | undefined;
}

/** Where a node is on the chain. */
export interface NodeHead {
  readonly block: number;
  readonly irreversibleBlock: number;
  /** Of the head block. */
  readonly timeMs: number;
}

export interface CallReport {
  readonly node: HiveNode;
  readonly method: string;
  readonly reply: NodeReply;
  readonly ms: number;
}

export interface HiveNodeOptions {
  /** Maximum for reads, and as many for writes and for look-ups of many accounts. */
  readonly connections: number;
  /** Calls that may wait for a connection. */
  readonly maxQueued: number;
  readonly maxResponseBytes: number;
  readonly recordReply: RecordReply;
  /** Called after each call, for logs and metrics. Must not throw. */
  readonly onCall?: ((report: CallReport) => void) | undefined;
}

/**
 * How long an idle connection is kept. Less than the 60 to 75 s after which proxies usually close it; if a server announces
 * less (`Keep-Alive: timeout=5`), that counts.
 */
const keepAliveMs = 20_000;
const connectTimeoutMs = 2_000;

/** How much of an error's text is in the detail of a failure. */
const maxDetailLength = 100;

/** One Hive API node, over its own connections. */
export class HiveNode {
  /** Host and port, which are safe to log: credentials may be anywhere else in a URL. */
  readonly name: string;
  /** Undefined until it was read, and if the node does not report it. */
  head: NodeHead | undefined;
  private pending = 0;
  private lastId = 0;
  private isClosed = false;
  private readonly path: string;
  private readonly headers: Record<string, string>;
  private readonly pools: Readonly<Record<ConnectionPool, Pool>>;

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
        connect: { timeout: connectTimeoutMs },
        maxResponseSize: options.maxResponseBytes,
        // The time limit of a call covers these.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
    this.pools = {
      read: pool(options.connections, 1),
      list: pool(options.connections, 1),
      // Each over a new connection: an idle one may be closed in the moment in which it is used again, and it would be unknown
      // whether the node received the call.
      write: pool(options.connections, 0),
      probe: pool(1, 1),
    };
  }

  /** Calls in flight or queued, without probes. A cancelled call counts while it is in the queue. */
  get load(): number {
    return this.pending;
  }

  get isFull(): boolean {
    return this.pending >= this.options.connections + this.options.maxQueued;
  }

  /** Never rejects: errors are in the reply. Records what the reply says about the node. */
  send<R, E>(call: NodeCall<R, E>, cancellation = new Cancellation()): Promise<NodeReply<R, E>> {
    const running = this.health.begin(call.kind);
    const startedMs = performance.now();
    this.lastId += 1;
    const id = this.lastId;
    const params = call.paramsText === undefined ? '' : `,"params":${call.paramsText}`;
    const body = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(call.method)}${params}}`;
    const done = (reply: NodeReply<R, E>): NodeReply<R, E> => this.report(call.method, reply, running, startedMs);
    const onPosted = (posted: Posted): NodeReply<R, E> => {
      const reply = isSuccess(posted.status) ? readReply(call, posted.body, id) : replyOfStatus(posted);
      // Bytes that are passed on stay counted.
      if (reply.kind === 'failed') call.budget?.giveBack(posted.body.length);
      return done(reply);
    };
    const onError = (error: unknown): NodeReply<R, E> => done(replyOfError(error, cancellation.reason));
    return this.post(call, body, call.timeoutMs, cancellation).then(onPosted, (error: unknown) => {
      // A node may close an idle connection in the moment in which it is used again. What is read can be read again.
      if (call.pool === 'write' || cancellation.reason !== undefined || this.isClosed || !isReset(error))
        return onError(error);
      const leftMs = call.timeoutMs && call.timeoutMs - (performance.now() - startedMs);
      return this.post(call, body, leftMs, cancellation).then(onPosted, onError);
    });
  }

  /** Ends the calls in flight, and leaves no connection. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(Object.values(this.pools).map((pool) => pool.destroy()));
  }

  private post(
    { pool, budget }: Pick<NodeCall<unknown, unknown>, 'pool' | 'budget'>,
    body: string,
    timeoutMs: number | undefined,
    cancellation: Cancellation,
  ): Promise<Posted> {
    const weight = pool === 'probe' ? 0 : 1;
    this.pending += weight;
    return post(
      this.pools[pool],
      { path: this.path, headers: this.headers, body, budget, timeoutMs },
      cancellation,
      () => {
        this.pending -= weight;
      },
    );
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

/** A reader may throw, such as a schema that converts a value. A failed call lets another node respond. */
function readReply<R, E>({ read }: Pick<NodeCall<R, E>, 'read'>, body: Buffer, id: number): NodeReply<R, E> {
  try {
    return read(body, id);
  } catch (error) {
    // The caller's reader may be at fault, which must not eject the node for all others.
    return failed(
      { kind: 'wrong-shape', detail: `cannot be read: ${String(error).slice(0, maxDetailLength)}` },
      'call',
      true,
    );
  }
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
