import { answersTooLong, upstreamFault } from '@waggle/contracts';
import { toCachedResponse } from '../cache/cache-lifetime';
import { ageSeconds, isFresh, type CachedResponse } from '../cache/cached-response';
import { type MemoryCache } from '../cache/memory-cache';
import { type RedisCache } from '../cache/redis-cache';
import { type Route } from '../routes/route';
import { type RpcResponse, type CacheOutcome, errorMember } from '../rpc/rpc-response';
import { type ResponseByteBudget } from '../rpc/response-byte-budget';
import { type Call } from '../rpc/call';
import { type Backend, type UpstreamOutcome } from './backend';
import { type ChainHead } from './chain-head';
import { faultKindOf, type TextReply } from './node-reply';

/** Longer ones are asked for once: keys of answers must not fill the memory. */
const keyMostLength = 4_096;

/** A read under way, the head of the chain when it began, and the room that it may take. */
interface Running {
  readonly headBlock: number;
  readonly budget: ResponseByteBudget;
  /** Undefined when it has ended. */
  answer: Promise<RpcResponse> | undefined;
}

/** Answers calls by asking nodes, as rarely as can be: from what is kept, or together with others who ask the same. */
export class Upstream {
  /** By what is asked; who knows a newer block asks anew. */
  private readonly running = new Map<string, Running>();

  constructor(
    private readonly backends: ReadonlyMap<string, Backend>,
    private readonly head: ChainHead,
    private readonly memory: MemoryCache,
    private readonly redis: RedisCache | undefined,
  ) {}

  /** The answer, at once where this instance has it. */
  answer(call: Call, route: Route): RpcResponse | Promise<RpcResponse> {
    const backend = this.backends.get(route.to);
    if (backend === undefined) throw new Error(`route ${route.name} leads to no backend`);
    if (route.isWrite) return this.write(call, route, backend);
    const key = keyOf(call, route);
    const kept = route.cache.kind === 'none' ? undefined : this.memory.find(key);
    const nowMs = Date.now();
    if (kept !== undefined && isFresh(kept, this.head.block, nowMs)) return fromKept(kept, 'hit', nowMs);
    if (key.length > keyMostLength) return this.readAlone(call, route, backend);
    const running = this.running.get(key);
    if (running?.headBlock === this.head.block) return this.join(running, key, call, route, backend);
    return this.begin(key, call, route, backend);
  }

  /** What another request has no room for, this one may have: then it asks for itself, in the time that is left. */
  private async join(running: Running, key: string, call: Call, route: Route, backend: Backend): Promise<RpcResponse> {
    const startedMs = performance.now();
    const answer = await running.answer;
    if (answer !== undefined && (answer.outcome !== 'too-long' || running.budget === call.budget))
      return shared(answer);
    return this.read(key, call, route, backend, route.timeoutMs - (performance.now() - startedMs));
  }

  private async write(call: Call, route: Route, backend: Backend): Promise<RpcResponse> {
    return answerOf(await backend.write(call, route), 'bypass');
  }

  private async readAlone(call: Call, route: Route, backend: Backend): Promise<RpcResponse> {
    return answerOf(await backend.read(call, route, route.timeoutMs), 'bypass');
  }

  private begin(key: string, call: Call, route: Route, backend: Backend): Promise<RpcResponse> {
    const answer =
      this.redis === undefined || route.cache.kind === 'none'
        ? this.read(key, call, route, backend, route.timeoutMs)
        : this.readShared(this.redis, key, call, route, backend);
    const running: Running = { headBlock: this.head.block, budget: call.budget, answer };
    this.running.set(key, running);
    const ended = () => {
      // Each table that a Map has outgrown holds on to the next one and its entries until old objects are collected: of a Map
      // in which much comes and goes that is all that ever was in it.
      running.answer = undefined;
      if (this.running.get(key) === running) this.running.delete(key);
    };
    answer.then(ended, ended);
    return answer;
  }

  private async readShared(
    redis: RedisCache,
    key: string,
    call: Call,
    route: Route,
    backend: Backend,
  ): Promise<RpcResponse> {
    const startedMs = performance.now();
    const ofOthers = await redis.find(key);
    if (ofOthers !== undefined) this.memory.set(key, ofOthers);
    const nowMs = Date.now();
    if (ofOthers !== undefined && isFresh(ofOthers, this.head.block, nowMs)) return fromKept(ofOthers, 'hit', nowMs);
    return this.read(key, call, route, backend, route.timeoutMs - (performance.now() - startedMs));
  }

  private read(key: string, call: Call, route: Route, backend: Backend, timeoutMs: number): Promise<RpcResponse> {
    const headBlock = this.head.block;
    return backend.read(call, route, timeoutMs).then((outcome) => this.take(outcome, key, call, route, headBlock));
  }

  private take(outcome: UpstreamOutcome, key: string, call: Call, route: Route, headBlock: number): RpcResponse {
    const isKept = route.cache.kind !== 'none';
    const { reply } = outcome;
    if (reply.kind === 'result')
      this.keep(key, reply.result, route, { params: call.params, headBlock, node: outcome.head });
    if (reply.kind === 'result' || reply.kind === 'refused' || reply.kind === 'over-budget')
      return answerOf(outcome, isKept ? 'miss' : 'bypass');
    const old = route.staleMs > 0 ? this.memory.find(key) : undefined;
    const nowMs = Date.now();
    if (old !== undefined && nowMs < old.staleUntilMs) return fromKept(old, 'stale', nowMs, outcome.called.length);
    return answerOf(outcome, isKept ? 'miss' : 'bypass');
  }

  private keep(key: string, member: string, route: Route, origin: Parameters<typeof toCachedResponse>[2]): void {
    const nowMs = Date.now();
    const kept = toCachedResponse(member, route, origin, nowMs);
    if (kept === undefined) return;
    this.memory.set(key, kept);
    this.redis?.set(key, kept, nowMs);
  }
}

function keyOf({ method, paramsText = '' }: Call, { to }: Route): string {
  return `${to} ${method} ${paramsText}`;
}

/** @param nowMs by which it was found good: at its lapse it does not say a greater age than it may have */
function fromKept(kept: CachedResponse, cache: CacheOutcome, nowMs: number, attempts = 0): RpcResponse {
  return {
    member: kept.member,
    source: 'cache',
    cache,
    attempts,
    ageSeconds: ageSeconds(kept, nowMs),
    outcome: 'result',
  };
}

/** What another call was answered. What was kept is as kept for all who ask. */
function shared(answer: RpcResponse): RpcResponse {
  return answer.ageSeconds === undefined ? { ...answer, cache: 'coalesced' } : answer;
}

function answerOf({ reply, called }: UpstreamOutcome, cache: CacheOutcome): RpcResponse {
  const { member, outcome } = saidBy(reply);
  return { member, source: 'upstream', cache, attempts: called.length, ageSeconds: undefined, outcome };
}

function saidBy(reply: TextReply): Pick<RpcResponse, 'member' | 'outcome'> {
  if (reply.kind === 'failed') {
    const kind = faultKindOf(reply);
    return { member: errorMember(upstreamFault(kind)), outcome: kind };
  }
  if (reply.kind === 'over-budget') return { member: errorMember(answersTooLong()), outcome: 'too-long' };
  if (reply.kind === 'result') return { member: reply.result, outcome: 'result' };
  return { member: reply.error, outcome: reply.kind };
}
