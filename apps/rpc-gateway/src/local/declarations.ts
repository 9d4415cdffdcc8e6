import { type Declaration } from './declaration/declaration';
import { accountNotifications } from './methods/account-notifications';
import { getFollowers, getFollowing } from './methods/follow-pages';
import { getAccountReputations } from './methods/get-account-reputations';
import { getCommunity } from './methods/get-community';
import { getCommunityContext } from './methods/get-community-context';
import { getFollowCount } from './methods/get-follow-count';
import { doesUserFollowAnyLists, getFollowList } from './methods/get-follow-list';
import { getRebloggedBy } from './methods/get-reblogged-by';
import { getRelationshipBetweenAccounts } from './methods/get-relationship-between-accounts';
import { listAllSubscriptions } from './methods/list-all-subscriptions';
import { getTrendingTopics, listCommunities, listPopCommunities } from './methods/list-communities';
import { listCommunityRoles } from './methods/list-community-roles';
import { listMutedReasonsEnum } from './methods/list-muted-reasons-enum';
import { listSubscribers } from './methods/list-subscribers';
import { postNotifications } from './methods/post-notifications';
import { getProfile, getProfiles } from './methods/profiles';
import { accountDiscussions } from './methods/posts/account-discussions';
import { findComments, listComments } from './methods/posts/database-comments';
import { rankedDiscussions } from './methods/posts/discussions';
import { getAccountPosts, getAccountPostsByTag } from './methods/posts/get-account-posts';
import { getBlog } from './methods/posts/get-blog';
import { getContent } from './methods/posts/get-content';
import { getDiscussion } from './methods/posts/get-discussion';
import { getPost, getPostHeader, normalizePost } from './methods/posts/get-post';
import { getRankedPosts } from './methods/posts/get-ranked-posts';
import { getPayoutStats, getTrendingTags } from './methods/posts/payout-statistics';
import { findVotes, getActiveVotes, listVotes } from './methods/votes/votes';
import { unreadNotifications } from './methods/unread-notifications';

/**
 * The methods that are answered here. To add one, declare it in `methods`, and list it here and in `routes.yaml`, where
 * all of them must be local. A deployment that forwards one to nodes has its own `ROUTES_FILE`.
 */
export const declarations: readonly Declaration[] = [
  accountNotifications,
  unreadNotifications,
  postNotifications,
  getRelationshipBetweenAccounts,
  getFollowList,
  doesUserFollowAnyLists,
  getCommunity,
  getCommunityContext,
  listCommunities,
  listCommunityRoles,
  listSubscribers,
  listAllSubscriptions,
  ...getFollowers,
  ...getFollowing,
  ...getFollowCount,
  ...getRebloggedBy,
  getProfile,
  getProfiles,
  getAccountReputations,
  getTrendingTopics,
  listPopCommunities,
  listMutedReasonsEnum,
  getPost,
  getPostHeader,
  normalizePost,
  getDiscussion,
  getRankedPosts,
  getAccountPosts,
  getAccountPostsByTag,
  getPayoutStats,
  ...getContent,
  ...rankedDiscussions,
  ...accountDiscussions,
  ...getBlog,
  getTrendingTags,
  ...getActiveVotes,
  findComments,
  listComments,
  findVotes,
  listVotes,
];
