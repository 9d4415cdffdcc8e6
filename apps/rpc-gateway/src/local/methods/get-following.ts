import { followingNames } from '../../follows/follows.statements';
import { followPages } from '../follow-pages';

export const getFollowing = followPages('get_following', followingNames, (follower, following) => ({
  following,
  follower,
}));
