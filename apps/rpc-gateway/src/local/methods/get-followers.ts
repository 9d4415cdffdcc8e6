import { followerNames } from '../../follows/follows.statements';
import { followPages } from '../follow-pages';

export const getFollowers = followPages('get_followers', followerNames, (following, follower) => ({
  following,
  follower,
}));
