import { z } from 'zod';
import { type CacheRule } from './route';

const unitMs = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** A duration such as `500ms`, `5s`, `10m` or `1h`, in milliseconds. */
export const duration = z.string().transform((text, context) => {
  const ms = millisecondsOf(text);
  if (ms !== undefined) return ms;
  context.addIssue('must be a duration such as 500ms, 5s, 10m or 1h');
  return z.NEVER;
});

/**
 * `none`, `head`, a duration, or `irreversible(block)` or `irreversible(first + count)` with names or positions of
 * parameters.
 */
export const cacheRule = z.string().transform((text, context): CacheRule => {
  if (text === 'none' || text === 'head') return { kind: text };
  const [, block, count] = /^irreversible\((\w+)(?: \+ (\w+))?\)$/.exec(text) ?? [];
  if (block !== undefined) return { kind: 'irreversible', block: { first: block, count } };
  const ms = millisecondsOf(text);
  if (ms !== undefined) return { kind: 'time', ms };
  context.addIssue('must be none, head, a duration such as 10m, irreversible(block) or irreversible(first + count)');
  return z.NEVER;
});

/** A day: what is requested less often need not be cached. */
const maxMs = 24 * 3_600_000;

function millisecondsOf(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,8})(ms|s|m|h)$/.exec(text) ?? [];
  const factor = unitMs.get(unit);
  if (number === undefined || factor === undefined) return undefined;
  const ms = Number(number) * factor;
  return ms <= maxMs ? ms : undefined;
}

/** Formats a duration for the route table, in the largest unit without a fraction. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0ms';
  const [unit, factor] = [...unitMs].reverse().find(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / factor}${unit}`;
}

export function formatCacheRule(rule: CacheRule): string {
  if (rule.kind === 'time') return formatDuration(rule.ms);
  if (rule.kind !== 'irreversible') return rule.kind;
  const { first, count } = rule.block;
  return `irreversible(${count === undefined ? first : `${first} + ${count}`})`;
}
