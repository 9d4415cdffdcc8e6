import { followLists } from '../../follows/follow-lists';
import { type Book } from '../book/book';
import { type Moment } from '../effects';
import { tellUnlessMuted } from '../telling';
import { type ListChange } from './list-changes';

interface FollowAction {
  readonly follower: string;
  readonly names: readonly string[];
  readonly change: ListChange;
}

export function applyFollow(book: Book, moment: Moment, { follower: name, names, change }: FollowAction): void {
  const follower = book.accounts.find(name);
  if (follower === undefined) return;
  const ids = change.isOfAll
    ? book.follows.listedBy(follower.id, change.removed)
    : names.flatMap((each) => book.accounts.find(each)?.id ?? []);
  for (const id of ids) if (id !== follower.id) changeLists(book, moment, [follower.id, id], change);
}

function changeLists(book: Book, moment: Moment, [followerId, id]: readonly [number, number], change: ListChange) {
  const before = book.follows.lists(followerId, id);
  const after = (before & ~change.removed) | change.added;
  if (after === before) return;
  book.follows.set(followerId, id, after);
  const more = countOf(after) - countOf(before);
  if (more === 0) return;
  book.accounts.change(followerId, ({ following }) => ({ following: following + more }));
  book.accounts.change(id, ({ followers }) => ({ followers: followers + more }));
  if (more > 0) tellUnlessMuted(book, moment, 'follow', { recipientId: id, sourceId: followerId });
}

function countOf(lists: number): number {
  return (lists & followLists.follows) > 0 ? 1 : 0;
}
