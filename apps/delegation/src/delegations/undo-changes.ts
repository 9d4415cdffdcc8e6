import { partUpTo, type SnapshotPart } from '../lists/snapshot';
import { type DelegationRow } from './delegations.store';

/**
 * Computes a part of a list as of an earlier block, from the current part and the later changes.
 *
 * @param changed as of that block, by ascending id, with the amount 0 if there was none; if it has `limit` rows, there
 * may be more
 */
export function undoChanges(
  current: SnapshotPart<DelegationRow>,
  changed: readonly DelegationRow[],
  limit: number,
): SnapshotPart<DelegationRow> {
  const readTo = Math.min(current.readTo ?? Infinity, partUpTo(changed, limit).readTo ?? Infinity);
  const changedIds = new Set(changed.map(({ id }) => id));
  const items = [
    ...current.items.filter(({ id }) => !changedIds.has(id)),
    ...changed.filter(({ amount }) => amount !== '0'),
  ]
    .filter(({ id }) => Number(id) <= readTo)
    .sort((one, other) => Number(one.id) - Number(other.id));
  if (items.length > limit) return partUpTo(items.slice(0, limit), limit);
  return { items, readTo: readTo === Infinity ? undefined : readTo };
}
