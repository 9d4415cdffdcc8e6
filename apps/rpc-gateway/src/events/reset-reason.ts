import { type EventPosition } from './event-id';
import { type EventPage } from './events.store';

/**
 * Why events may be missing after the last event that a client received, so that it has to load what it shows:
 * - `index-changed`: that event is of another index, or the index was replaced
 * - `ahead-of-index`: the index does not contain that event
 * - `expired`: notifications after it were deleted for their age
 */
export const resetReasons = ['index-changed', 'ahead-of-index', 'expired'] as const;
export type ResetReason = (typeof resetReasons)[number];

/** Whether and why events may be missing between a position and the page that was read from there. */
export function findResetReason(position: EventPosition | undefined, page: EventPage): ResetReason | undefined {
  if (position?.index !== page.index) return 'index-changed';
  const { id } = position;
  if (id >= page.firstImpossibleId) return 'ahead-of-index';
  return isExpired(id, page) ? 'expired' : undefined;
}

/**
 * Whether events after the id were deleted for their age, or never created. An index that catches up creates none until
 * it reaches the retention period: the streams are then reset once, and not at each poll.
 */
function isExpired(id: bigint, { end, lastExpiredId }: EventPage): boolean {
  return id < lastExpiredId && lastExpiredId <= end;
}
