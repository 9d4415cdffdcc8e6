import { followLists } from '../../follows/follow-lists';
import { type Changeset } from '../changeset/changeset';
import { notifyUnlessMuted } from '../changeset/notification-rules';
import { type ListChange } from './follow-actions';

interface FollowAction {
  readonly follower: string;
  readonly names: readonly string[];
  readonly change: ListChange;
}

/**
 * Changes the follow lists of an account and the counts of followers, and notifies accounts that it newly follows,
 * unless they mute it.
 */
export function applyFollow(changeset: Changeset, time: Date, { follower: name, names, change }: FollowAction): void {
  const follower = changeset.accounts.find(name);
  if (follower === undefined) return;
  const ids = change.affectsAll
    ? changeset.follows.recordReset(follower.id, change.removed)
    : names.flatMap((each) => changeset.accounts.find(each)?.id ?? []);
  for (const id of ids) if (id !== follower.id) changeLists(changeset, time, [follower.id, id], change);
}

function changeLists(
  changeset: Changeset,
  time: Date,
  [followerId, id]: readonly [number, number],
  change: ListChange,
): void {
  const before = changeset.follows.lists(followerId, id);
  const after = (before & ~change.removed) | change.added;
  if (after === before) return;
  changeset.follows.set(followerId, id, after);
  const difference = countOf(after) - countOf(before);
  if (difference === 0) return;
  changeset.accounts.change(followerId, ({ following }) => ({ following: following + difference }));
  changeset.accounts.change(id, ({ followers }) => ({ followers: followers + difference }));
  if (difference > 0) notifyUnlessMuted(changeset, time, 'follow', { recipientId: id, sourceId: followerId });
}

function countOf(lists: number): number {
  return (lists & followLists.follows) > 0 ? 1 : 0;
}
