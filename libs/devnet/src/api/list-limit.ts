import { assertion } from '../errors';
import { countOf } from '../fields';

/** DATABASE_API_SINGLE_QUERY_LIMIT of hived. */
export const maxListed = 1000;

/** Reads the limit of a list of database_api. @throws NodeError */
export function listLimitOf(value: unknown): number {
  const limit = countOf(value);
  if (limit >= 1 && limit <= maxListed) return limit;
  throw assertion('0 < args.limit && args.limit <= DATABASE_API_SINGLE_QUERY_LIMIT', 'limit not set or too big');
}

/** Returns the first `count` items, or all if there are fewer. */
export function firstOf<Item>(items: Iterable<Item>, count: number): Item[] {
  const first: Item[] = [];
  for (const item of items) {
    if (first.length >= count) break;
    first.push(item);
  }
  return first;
}
