import { z } from 'zod';
import { type CacheRule } from './route';

const unitMs = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** A time such as `500ms`, `5s`, `10m` or `1h`, as milliseconds. */
export const duration = z.string().transform((text, context) => {
  const ms = millisecondsOf(text);
  if (ms !== undefined) return ms;
  context.addIssue('must be a time such as 500ms, 5s, 10m or 1h');
  return z.NEVER;
});

/** `none`, `head`, a time, or `irreversible(block)`, `irreversible(first + count)` with names or places of parameters. */
export const cacheRule = z.string().transform((text, context): CacheRule => {
  if (text === 'none' || text === 'head') return { kind: text };
  const [, block, count] = /^irreversible\((\w+)(?: \+ (\w+))?\)$/.exec(text) ?? [];
  if (block !== undefined) return { kind: 'irreversible', block: { block, count } };
  const ms = millisecondsOf(text);
  if (ms !== undefined) return { kind: 'time', ms };
  context.addIssue('must be none, head, a time such as 10m, irreversible(block) or irreversible(first + count)');
  return z.NEVER;
});

/** None is longer than a day: what is asked for that rarely need not be kept. */
const mostMs = 24 * 3_600_000;

function millisecondsOf(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,8})(ms|s|m|h)$/.exec(text) ?? [];
  const factor = unitMs.get(unit);
  if (number === undefined || factor === undefined) return undefined;
  const ms = Number(number) * factor;
  return ms <= mostMs ? ms : undefined;
}

/** A time as the route table writes it, in the largest unit that it is a whole number of. */
export function textOfDuration(ms: number): string {
  if (ms === 0) return '0ms';
  const [unit, factor] = [...unitMs].reverse().find(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / factor}${unit}`;
}

export function textOfCacheRule(rule: CacheRule): string {
  if (rule.kind === 'time') return textOfDuration(rule.ms);
  if (rule.kind !== 'irreversible') return rule.kind;
  const { block, count } = rule.block;
  return `irreversible(${count === undefined ? block : `${block} + ${count}`})`;
}
