import { type NodeHead } from '@waggle/chain';
import { blockIntervalMs } from '../block-interval';
import { type BlockParameters, type CacheRule, type Route } from '../routes/route';
import { type CachedResponse } from './cached-response';

/** The call that a response belongs to, and the node that sent it. */
export interface ResponseOrigin {
  readonly params: unknown;
  /** The highest head block of any node when the call was sent; 0 if none was known. */
  readonly headBlock: number;
  /** The head of the responding node when the call was sent. */
  readonly node: Pick<NodeHead, 'block' | 'irreversibleBlock'> | undefined;
}

/**
 * Lifetime of a response about irreversible blocks in the memory of an instance, which may evict it earlier. Redis
 * keeps it for at most a minute.
 */
const irreversibleMs = 24 * 3_600_000;

/**
 * Returns the result as the cache stores it, or undefined if the rule of its route does not allow that.
 *
 * @param member `"result":…`, as the node sent it
 */
export function toCachedResponse(
  member: string,
  { cache, staleMs }: Pick<Route, 'cache' | 'staleMs'>,
  origin: ResponseOrigin,
  nowMs: number,
): CachedResponse | undefined {
  const lifetime = isNull(member) ? undefined : lifetimeOf(member, cache, origin);
  if (lifetime === undefined) return undefined;
  const freshUntilMs = nowMs + lifetime.ms;
  return {
    member,
    storedAtMs: nowMs,
    headBlock: lifetime.headBlock,
    freshUntilMs,
    staleUntilMs: freshUntilMs + staleMs,
  };
}

interface Lifetime {
  readonly headBlock: number | undefined;
  readonly ms: number;
}

function lifetimeOf(member: string, rule: CacheRule, origin: ResponseOrigin): Lifetime | undefined {
  switch (rule.kind) {
    case 'none':
      return undefined;
    case 'time':
      return { headBlock: undefined, ms: rule.ms };
    case 'head':
      return ofHead(origin);
    case 'irreversible':
      return isIrreversible(rule.block, origin) && !isEmpty(member)
        ? { headBlock: undefined, ms: irreversibleMs }
        : ofHead(origin);
  }
}

/** Returns a lifetime until the next block is due; undefined if the head is unknown, or the node was behind it. */
function ofHead({ headBlock, node }: ResponseOrigin): Lifetime | undefined {
  if (headBlock === 0 || (node !== undefined && node.block < headBlock)) return undefined;
  return { headBlock, ms: blockIntervalMs };
}

/** Compares with the node that sent the response: another may not have the block yet. */
function isIrreversible({ first: firstParameter, count }: BlockParameters, { params, node }: ResponseOrigin): boolean {
  const first = numberAt(params, firstParameter);
  const blocks = count === undefined ? 1 : numberAt(params, count);
  if (first === undefined || blocks === undefined || blocks < 1 || node === undefined) return false;
  return first + blocks - 1 <= node.irreversibleBlock;
}

function numberAt(params: unknown, key: string): number | undefined {
  if (typeof params !== 'object' || params === null || !Object.hasOwn(params, key)) return undefined;
  const value: unknown = (params as Readonly<Record<string, unknown>>)[key];
  return Number.isSafeInteger(value) ? Number(value) : undefined;
}

function isNull(member: string): boolean {
  return member === '"result":null';
}

/** What a node returns that has the block but has not processed it yet: `{}`, `[]`, `{"blocks":[]}`. */
function isEmpty(member: string): boolean {
  return /^"result":\s*(?:\{\s*\}|\[\s*\]|\{\s*"\w+"\s*:\s*\[\s*\]\s*\})$/.test(member);
}
