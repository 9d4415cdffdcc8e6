import { followerNames } from '../../follows/follows.statements';
import { followPages } from './follow-pages';

export const getFollowers = followPages('get_followers', {
  summary: 'The accounts that follow an account, or have muted it, by name',
  statement: followerNames,
  link: (following, follower) => ({ following, follower }),
});
