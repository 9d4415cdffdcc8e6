import { type CallKind, type NodeChange, NodeHealth, readKind, retryAfterMs, type RunningCall } from '@waggle/chain';
import { type UpstreamFaultKind } from '@waggle/contracts';
import { errors, Pool } from 'undici';
import { type BackendSettings } from '../routes/route';
import { type ResponseByteBudget } from '../rpc/response-byte-budget';
import { type NodeHead } from './chain-head';
import { badResponse, type NodeReply, readReply } from './node-reply';
import { type BreakOff, isSuccess, NoRoomError, post, type Posted } from './post';

/** A method and the JSON text of its parameters. */
export interface UpstreamCall {
  readonly method: string;
  readonly paramsText: string | undefined;
  /** For the answer; without it there is as much as the backend allows. */
  readonly budget?: ResponseByteBudget;
}

/** `read`; `write`; `look`: whether it is well, which must not wait behind what is to be answered. */
export type Lane = 'read' | 'write' | 'look';

/** Told of each reply, for metrics. */
export type OnReply = (node: UpstreamNode, reply: NodeReply) => void;

/**
 * How long an idle connection is kept. Less than the 60 to 75 s after which proxies usually close it; where a server
 * announces less (`Keep-Alive: timeout=5`), that counts.
 */
const keepAliveMs = 20_000;
const connectTimeoutMs = 2_000;
/** After how long a node that failed is tried again: the first time, and at most. A trial is a copy of a read. */
const pauses = { firstMs: 1_000, longestMs: 5_000 };

/** One node of a backend, over pools of its own. */
export class UpstreamNode {
  /** Host and port: what is safe to print, since credentials may stand anywhere else in a URL. */
  readonly name: string;
  readonly health: NodeHealth;
  /** Undefined until it was asked for it, and where it does not say. */
  head: NodeHead | undefined;
  private pending = 0;
  private lastId = 0;
  private readonly path: string;
  private readonly headers: Record<string, string>;
  private readonly lanes: Readonly<Record<Lane, Pool>>;

  constructor(
    url: URL,
    private readonly options: Pick<BackendSettings, 'connections' | 'maxQueued' | 'maxResponseBytes'>,
    private readonly onReply: OnReply,
    onChange: ((change: NodeChange) => void) | undefined,
  ) {
    this.name = url.host;
    this.health = new NodeHealth(this.name, { pauses, now: () => performance.now(), onChange });
    this.path = url.pathname + url.search;
    this.headers = { 'content-type': 'application/json', accept: 'application/json', ...credentialsOf(url) };
    const pool = (connections: number, pipelining: number) =>
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
    this.lanes = {
      read: pool(options.connections, 1),
      // Each over a new connection: one that was idle may be closed in the moment in which it is used again, and nobody
      // could tell whether the node took the call.
      write: pool(options.connections, 0),
      look: pool(1, 1),
    };
  }

  /** Calls that run or wait, without looks; also those that nobody waits for any more, while they stand in the line. */
  get load(): number {
    return this.pending;
  }

  get isFull(): boolean {
    return this.pending >= this.options.connections + this.options.maxQueued;
  }

  /** Never rejects: whatever is wrong is in the reply. Notes what it says of the node's health. */
  ask({ method, paramsText, budget }: UpstreamCall, breakOff: BreakOff, lane: Lane): Promise<NodeReply> {
    const running = this.health.begin(kindOf(method, lane));
    const weight = lane === 'look' ? 0 : 1;
    this.pending += weight;
    this.lastId += 1;
    const id = this.lastId;
    const params = paramsText === undefined ? '' : `,"params":${paramsText}`;
    const body = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${params}}`;
    const onGone = () => {
      this.pending -= weight;
    };
    return post(this.lanes[lane], { path: this.path, headers: this.headers, body, budget }, breakOff, onGone).then(
      (posted) => {
        const reply = replyOf(posted, id);
        // What is told, or may be in the end, stays counted.
        if (reply.kind === 'fault') budget?.giveBack(posted.body.length);
        return this.noted(reply, running);
      },
      (error: unknown) => this.noted(faultOf(error, breakOff), running),
    );
  }

  private noted(reply: NodeReply, running: RunningCall): NodeReply {
    this.onReply(this, reply);
    judge(reply, running);
    return reply;
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.lanes).map((pool) => pool.destroy()));
  }
}

function kindOf(method: string, lane: Lane): CallKind {
  if (lane === 'look') return 'head';
  return lane === 'write' ? 'write' : readKind(method);
}

/** Notes what a reply says of the node's health. */
function judge(reply: NodeReply, running: RunningCall): void {
  // A node that is in trouble with so small a question is not well; one that fails a write fails the next one too.
  const isSevere = running.kind === 'head' || running.kind === 'write';
  const isOfWholeNode = running.kind === 'head';
  if (reply.kind === 'troubled')
    running.failed({ reason: "the node's own error", isUncertain: !isSevere, isOfWholeNode });
  else if (reply.kind === 'too-long') running.ignored();
  else if (reply.kind !== 'fault') running.succeeded();
  else if (reply.blame === 'caller') running.abandoned();
  else if (reply.blame === 'call') running.ignored();
  else {
    const { detail, retryAfterMs, blame } = reply;
    const isOfAllCalls = blame === 'node' && (reply.fault === 'unreachable' || detail === 'status 429');
    running.failed({
      reason: detail,
      isUncertain: blame === 'unclear' && !isSevere,
      isOfWholeNode: isOfWholeNode || isOfAllCalls,
      retryAfterMs,
    });
  }
}

function replyOf({ status, retryAfter, body }: Posted, id: number): NodeReply {
  if (isSuccess(status)) return readReply(body, id);
  const blame = aboutTheCall.has(status) ? 'call' : 'node';
  const fault = faultOfStatus(status);
  return { ...badResponse(`status ${status}`), fault, blame, retryAfterMs: retryAfterMs(retryAfter) };
}

/** What a node's proxy says of a call that it does not like: one caller's must not put a node aside for all others. */
const aboutTheCall = new Set([400, 413, 414, 422]);

/** Too Many Requests and Service Unavailable. */
function faultOfStatus(status: number): UpstreamFaultKind {
  return status === 429 || status === 503 ? 'overloaded' : 'bad-response';
}

/** There was no connection yet. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** What a connection that was idle too long does too, which is no fault of the node. */
const resets = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function faultOf(error: unknown, breakOff: BreakOff): NodeReply {
  if (error instanceof NoRoomError) return { kind: 'too-long' };
  const fault = { kind: 'fault', blame: 'unclear', wasSent: true } as const;
  if (breakOff.isDone)
    return {
      ...fault,
      blame: breakOff.isAnswered ? 'caller' : 'unclear',
      fault: 'timeout',
      detail: 'no answer in time',
    };
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return { ...fault, fault: 'bad-response', blame: 'call', detail: 'too long an answer' };
  const code = codeOf(error);
  return {
    ...fault,
    fault: 'unreachable',
    detail: code,
    blame: resets.has(code) ? 'unclear' : 'node',
    wasSent: !beforeSending.has(code),
  };
}

/** Such as `ECONNREFUSED`: the code alone, since a message may hold a URL. */
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
