import { followLists } from '../../follows/follow-lists';
import { isFalseInPython } from './parse-json';

const { follows, ignores, blacklists, followsBlacklists, followsMuted } = followLists;

/** How an action changes the follow lists of its signer: bits as in `followLists`. */
export interface ListChange {
  readonly added: number;
  readonly removed: number;
  /** Whether it removes all accounts from the lists, not only those that it names. */
  readonly affectsAll: boolean;
}

const add = (added: number, removed = 0): ListChange => ({ added, removed, affectsAll: false });
const remove = (removed: number): ListChange => add(0, removed);
const clear = (removed: number): ListChange => ({ ...remove(removed), affectsAll: true });

const changes = new Map<unknown, ListChange>([
  // Following an account unmutes it, and muting it ends following.
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

/** @param action JSON of any form @returns undefined for an unknown action */
export function findListChange(action: unknown): ListChange | undefined {
  return changes.get(isFalseInPython(action) ? '' : action);
}
