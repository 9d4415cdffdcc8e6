import { followerNames } from '../../follows/follows.statements';
import { followPages } from '../follow-pages';

export const getFollowers = followPages('get_followers', {
  summary: 'Who follows an account, or has muted it, by name',
  statement: followerNames,
  link: (following, follower) => ({ following, follower }),
});
