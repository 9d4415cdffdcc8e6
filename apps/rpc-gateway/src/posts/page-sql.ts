import { communityRoles } from '../communities/roles';
import { followLists } from '../follows/follow-lists';
import { grayReputation } from './author-score';
import { mutedBits } from './muted-reasons';

/** SQL for more than any id or amount. */
export const maxNumber = '9223372036854775807';

/**
 * SQL for the order of a page: the highest values of some keys first, then the newest post. Pages continue after a
 * post, whose id is a parameter, or null for the first page.
 */
export interface PageOrder {
  readonly keys: readonly PageKey[];
  readonly id: string;
}

export interface PageKey {
  /** The value of a row. */
  readonly value: string;
  /** The value of the post where the page begins. If it has none, no rows follow. */
  readonly ofCursor: string;
  /** More than any value, with its type. */
  readonly max: string;
}

export function orderOf({ keys, id }: PageOrder): string {
  return [...keys.map(({ value }) => value), id].map((value) => `${value} DESC`).join(', ');
}

/** SQL: whether a row comes after the post `cursor`. `coalesce` lets a generic plan use an index for this condition. */
export function isAfter(cursor: string, { keys, id }: PageOrder): string {
  const values = [...keys.map(({ value }) => value), id];
  const bounds = keys.map(({ ofCursor, max }) => `coalesce(${ofCursor}, CASE WHEN ${cursor} IS NULL THEN ${max} END)`);
  return `(${values.join(', ')}) < (${[...bounds, `coalesce(${cursor}, ${maxNumber})`].join(', ')})`;
}

/** SQL: whether the observer, or an account whose mute list it follows, has muted the account. */
export function isMuted(observer: string, account: string): string {
  const mutes = (follower: string) =>
    `SELECT FROM follow f WHERE f.follower_id = ${follower} AND f.following_id = ${account} AND f.lists & ${followLists.ignores} > 0`;
  return `(EXISTS (${mutes(observer)}) OR EXISTS (
    SELECT FROM follow l WHERE l.follower_id = ${observer} AND l.lists & ${followLists.followsMuted} > 0
      AND EXISTS (${mutes('l.following_id')})
  ))`;
}

/** SQL: whether the reputation of the author `a` makes its posts gray. */
export const isGray = `coalesce(a.reputation, 0) <= ${grayReputation}`;

const storedReasons = mutedBits('MUTED_COMMUNITY_MODERATION', 'MUTED_COMMUNITY_TYPE', 'MUTED_PARENT');

/**
 * SQL: whether the post `p` of the author `a` is muted for one of the reasons in the bit set `reasons`. OFFSET 0 keeps
 * PostgreSQL from reading all roles into a hash table.
 */
export function hasReason(reasons: string): string {
  return `(p.muted_reasons & ${reasons} & ${storedReasons} > 0
    OR ${reasons} & ${mutedBits('MUTED_REPUTATION')} > 0 AND ${isGray}
    OR ${reasons} & ${mutedBits('MUTED_ROLE_COMMUNITY')} > 0 AND EXISTS (
      SELECT FROM community_role r
      WHERE r.community_id = p.community_id AND r.account_id = p.author_id AND r.role = ${communityRoles.muted} OFFSET 0
    ))`;
}
