import { followLists } from '../../follows/follow-lists';

const { follows, ignores, blacklists, followsBlacklists, followsMuted } = followLists;

/** What an action does to the lists that somebody is on: bits as of `followLists`. */
export interface ListChange {
  readonly added: number;
  readonly removed: number;
  /** Whether everybody is taken off the lists, whoever is named. */
  readonly isOfAll: boolean;
}

const add = (added: number, removed = 0): ListChange => ({ added, removed, isOfAll: false });
const remove = (removed: number): ListChange => add(0, removed);
const clear = (removed: number): ListChange => ({ ...remove(removed), isOfAll: true });

const changes = new Map<string, ListChange>([
  // Whom one follows, one has not muted, and the other way round.
  ['blog', add(follows, ignores)],
  ['follow', add(follows, ignores)],
  ['ignore', add(ignores, follows)],
  ['', remove(follows | ignores)],
  ['blacklist', add(blacklists)],
  ['unblacklist', remove(blacklists)],
  ['follow_blacklist', add(followsBlacklists)],
  ['unfollow_blacklist', remove(followsBlacklists)],
  ['follow_muted', add(followsMuted)],
  ['unfollow_muted', remove(followsMuted)],
  ['reset_following_list', clear(follows)],
  ['reset_muted_list', clear(ignores)],
  ['reset_blacklist', clear(blacklists)],
  ['reset_follow_blacklist', clear(followsBlacklists)],
  ['reset_follow_muted_list', clear(followsMuted)],
  ['reset_all_lists', clear(follows | ignores | blacklists | followsBlacklists | followsMuted)],
]);

/** Undefined for a text that is no action. */
export function findListChange(action: string): ListChange | undefined {
  return changes.get(action);
}
