import { partUpTo, type SnapshotPart } from '../lists/snapshot';
import { type DelegationRow } from './delegations.store';

/**
 * A part of a list as of an earlier block, from the same part as it is now and what changed of it since. Both are by ascending
 * id and have as many rows as `limit` unless there are no more: beyond the last row of such a one nothing is known of it.
 *
 * @param changed as of that block; amounts are 0 where there was nothing
 */
export function undoChanges(
  current: readonly DelegationRow[],
  changed: readonly DelegationRow[],
  limit: number,
): SnapshotPart<DelegationRow> {
  const readTo = Math.min(...[current, changed].map((rows) => partUpTo(rows, limit).readTo ?? Infinity));
  const changedIds = new Set(changed.map(({ id }) => id));
  const items = [...current.filter(({ id }) => !changedIds.has(id)), ...changed.filter(({ amount }) => amount !== '0')]
    .filter(({ id }) => Number(id) <= readTo)
    .sort((one, other) => Number(one.id) - Number(other.id));
  if (items.length > limit) return partUpTo(items.slice(0, limit), limit);
  return { items, readTo: readTo === Infinity ? undefined : readTo };
}
