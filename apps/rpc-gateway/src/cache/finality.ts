import { type BlockPlace, type CacheRule, type Route } from '../routes/route';
import { type NodeHead } from '../upstream/upstream-node';
import { type KeptAnswer } from './kept-answer';

/** What an answer was made from. */
export interface AnswerOrigin {
  readonly params: unknown;
  /** The head of the chain when the call was sent, as far as any node was known to be; 0 where none was. */
  readonly headBlock: number;
  /** How far the node that answered was known to be then. */
  readonly node: NodeHead | undefined;
}

/** As long as no other block is seen, and no longer than one takes. */
const blockMs = 3_000;
/** An instance forgets earlier where it has no room; in Redis it stays that long. */
const irreversibleMs = 24 * 3_600_000;

/** The result as it is kept by the rule of its route; undefined where it is not. */
export function keptAnswer(
  member: string,
  { cache, staleMs }: Pick<Route, 'cache' | 'staleMs'>,
  origin: AnswerOrigin,
  nowMs: number,
): KeptAnswer | undefined {
  const lifetime = isNull(member) ? undefined : lifetimeOf(member, cache, origin);
  if (lifetime === undefined) return undefined;
  const freshUntilMs = nowMs + lifetime.ms;
  return { member, storedAtMs: nowMs, head: lifetime.head, freshUntilMs, staleUntilMs: freshUntilMs + staleMs };
}

interface Lifetime {
  readonly head: number | undefined;
  readonly ms: number;
}

function lifetimeOf(member: string, rule: CacheRule, origin: AnswerOrigin): Lifetime | undefined {
  switch (rule.kind) {
    case 'none':
      return undefined;
    case 'time':
      return { head: undefined, ms: rule.ms };
    case 'head':
      return ofHead(origin);
    case 'irreversible':
      return isIrreversible(rule.block, origin) && !isEmpty(member)
        ? { head: undefined, ms: irreversibleMs }
        : ofHead(origin);
  }
}

/** Nothing where the head is unknown, or the node may have answered from a block before it. */
function ofHead({ headBlock, node }: AnswerOrigin): Lifetime | undefined {
  if (headBlock === 0 || (node !== undefined && node.block < headBlock)) return undefined;
  return { head: headBlock, ms: blockMs };
}

/** By what the node itself had: another may have answered before it knew the block. */
function isIrreversible({ block, count }: BlockPlace, { params, node }: AnswerOrigin): boolean {
  const first = numberAt(params, block);
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

/** What a node says that has the block and not yet what is asked of it: `{}`, `[]`, `{"blocks":[]}`. */
function isEmpty(member: string): boolean {
  return /^"result":\s*(?:\{\s*\}|\[\s*\]|\{\s*"\w+"\s*:\s*\[\s*\]\s*\})$/.test(member);
}
