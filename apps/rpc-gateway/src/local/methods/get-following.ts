import { followingNames } from '../../follows/follows.statements';
import { followPages } from './follow-pages';

export const getFollowing = followPages('get_following', {
  summary: 'The accounts that an account follows, or has muted, by name',
  statement: followingNames,
  link: (follower, following) => ({ following, follower }),
});
