import { responsesTooLong, upstreamError } from '@waggle/contracts';
import { type ResponseOrigin, toCachedResponse } from '../cache/cache-lifetime';
import { ageSeconds, isFresh, type CachedResponse } from '../cache/cached-response';
import { type MemoryCache } from '../cache/memory-cache';
import { type RedisCache } from '../cache/redis-cache';
import { type Route } from '../routes/route';
import { type RpcResponse, type CacheOutcome, errorMember } from '../rpc/rpc-response';
import { type RequestByteBudget } from '../rpc/request-byte-budget';
import { type Call } from '../rpc/call';
import { type Backend, type UpstreamOutcome } from './backend';
import { type ChainHead } from './chain-head';
import { errorKindOf, type TextReply } from './node-reply';

/** Calls with longer keys are neither cached nor coalesced, so that keys do not fill the memory. */
const maxKeyLength = 4_096;

/** A read in flight, the head of the chain when it began, and the budget that it uses. */
interface RunningRead {
  readonly headBlock: number;
  readonly budget: RequestByteBudget;
  /** Resolves with the response; undefined when the read has ended. */
  response: Promise<RpcResponse> | undefined;
}

/** A call that its backend answers, unless its response is cached. */
interface Read {
  readonly key: string;
  readonly call: Call;
  readonly route: Route;
  readonly backend: Backend;
}

/** Forwards calls to nodes as rarely as possible: it serves cached responses and coalesces identical reads. */
export class Upstream {
  /** By cache key. A call joins only a read that began at the same head. */
  private readonly running = new Map<string, RunningRead>();

  constructor(
    private readonly backends: ReadonlyMap<string, Backend>,
    private readonly head: ChainHead,
    private readonly memory: MemoryCache,
    private readonly redis: RedisCache | undefined,
  ) {}

  /** Returns a promise that never rejects; for a response that is cached in memory, the response itself. */
  respond(call: Call, route: Route): RpcResponse | Promise<RpcResponse> {
    const backend = this.backends.get(route.to);
    if (backend === undefined) throw new Error(`route ${route.name} leads to no backend`);
    if (route.isWrite) return this.write(call, route, backend);
    const key = keyOf(call, route);
    const cached = route.cache.kind === 'none' ? undefined : this.memory.find(key);
    const nowMs = Date.now();
    if (cached !== undefined && isFresh(cached, this.head.block, nowMs)) return responseFromCache(cached, 'hit', nowMs);
    const read = { key, call, route, backend };
    // Two equal POSTs may be two actions.
    if (key.length > maxKeyLength || call.pathRequest?.httpMethod === 'POST') return this.readAlone(read);
    const running = this.running.get(key);
    return running?.headBlock === this.head.block ? this.join(running, read) : this.begin(read);
  }

  /**
   * Waits for the response of an identical call. If it was too long for the other request's budget, the call is sent
   * again, because it may fit into this one's.
   */
  private async join(running: RunningRead, read: Read): Promise<RpcResponse> {
    const startedMs = performance.now();
    const response = await running.response;
    if (response !== undefined && (response.outcome !== 'too-long' || running.budget === read.call.budget))
      return coalesced(response);
    return this.read(read, read.route.timeoutMs - (performance.now() - startedMs));
  }

  private async write(call: Call, route: Route, backend: Backend): Promise<RpcResponse> {
    return responseFromNode(await backend.write(call, route), 'bypass');
  }

  /** Neither caches the response nor shares it with identical calls. */
  private async readAlone({ call, route, backend }: Read): Promise<RpcResponse> {
    return responseFromNode(await backend.read(call, route, route.timeoutMs), 'bypass');
  }

  /** Reads, and lets identical calls join until the response is here. */
  private begin(read: Read): Promise<RpcResponse> {
    const { key, call, route } = read;
    const response =
      this.redis === undefined || route.cache.kind === 'none'
        ? this.read(read, route.timeoutMs)
        : this.readShared(this.redis, read);
    const running: RunningRead = { headBlock: this.head.block, budget: call.budget, response };
    this.running.set(key, running);
    const end = (): void => {
      // When a Map grows, its former table refers to the new one with all entries until old objects are collected.
      // Without this, a Map with a high turnover retains every response that was ever in it.
      running.response = undefined;
      if (this.running.get(key) === running) this.running.delete(key);
    };
    response.then(end, end);
    return response;
  }

  /** Looks into the cache that the instances share before it reads from a node. */
  private async readShared(redis: RedisCache, read: Read): Promise<RpcResponse> {
    const startedMs = performance.now();
    const cached = await redis.find(read.key);
    if (cached !== undefined) this.memory.store(read.key, cached);
    const nowMs = Date.now();
    if (cached !== undefined && isFresh(cached, this.head.block, nowMs)) return responseFromCache(cached, 'hit', nowMs);
    return this.read(read, read.route.timeoutMs - (performance.now() - startedMs));
  }

  private read(read: Read, timeoutMs: number): Promise<RpcResponse> {
    const { call, route, backend } = read;
    const headBlock = this.head.block;
    return backend.read(call, route, timeoutMs).then((outcome) => this.cacheAndRespond(outcome, read, headBlock));
  }

  private cacheAndRespond(outcome: UpstreamOutcome, { key, call, route }: Read, headBlock: number): RpcResponse {
    const { reply } = outcome;
    if (reply.kind === 'result')
      this.cache(key, reply.result, route, { params: call.params, headBlock, node: outcome.head });
    const mayServeStale = (reply.kind === 'failed' || reply.kind === 'not-served') && route.staleMs > 0;
    const stale = mayServeStale ? this.memory.find(key) : undefined;
    const nowMs = Date.now();
    if (stale !== undefined && nowMs < stale.staleUntilMs)
      return responseFromCache(stale, 'stale', nowMs, outcome.called.length);
    return responseFromNode(outcome, route.cache.kind === 'none' ? 'bypass' : 'miss');
  }

  private cache(key: string, member: string, route: Route, origin: ResponseOrigin): void {
    const nowMs = Date.now();
    const response = toCachedResponse(member, route, origin, nowMs);
    if (response === undefined) return;
    this.memory.store(key, response);
    this.redis?.store(key, response, nowMs);
  }
}

function keyOf({ method, paramsText = '' }: Call, { to }: Route): string {
  return `${to} ${method} ${paramsText}`;
}

/** @param nowMs when it was found to be fresh, so that its age is never beyond its lifetime */
function responseFromCache(cached: CachedResponse, cache: CacheOutcome, nowMs: number, attempts = 0): RpcResponse {
  const { member } = cached;
  return { member, source: 'cache', cache, attempts, ageSeconds: ageSeconds(cached, nowMs), outcome: 'result' };
}

/** The response of another call. One that came from the cache is unchanged. */
function coalesced(response: RpcResponse): RpcResponse {
  return response.ageSeconds === undefined ? { ...response, cache: 'coalesced' } : response;
}

function responseFromNode({ reply, called }: UpstreamOutcome, cache: CacheOutcome): RpcResponse {
  return { ...contentOf(reply), source: 'upstream', cache, attempts: called.length, ageSeconds: undefined };
}

function contentOf(reply: TextReply): Pick<RpcResponse, 'member' | 'status' | 'outcome'> {
  if (reply.kind === 'failed') {
    const kind = errorKindOf(reply);
    return { member: errorMember(upstreamError(kind)), outcome: kind };
  }
  if (reply.kind === 'over-budget') return { member: errorMember(responsesTooLong()), outcome: 'too-long' };
  if (reply.kind === 'result') return { member: reply.result, outcome: 'result' };
  return { ...reply.error, outcome: reply.kind };
}
