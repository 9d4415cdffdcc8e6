import { type Declaration } from './declaration/declaration';
import { accountNotifications } from './methods/account-notifications';
import { doesUserFollowAnyLists } from './methods/does-user-follow-any-lists';
import { getAccountReputations } from './methods/get-account-reputations';
import { getCommunity } from './methods/get-community';
import { getCommunityContext } from './methods/get-community-context';
import { getFollowCount } from './methods/get-follow-count';
import { getFollowList } from './methods/get-follow-list';
import { getFollowers } from './methods/get-followers';
import { getFollowing } from './methods/get-following';
import { getProfile } from './methods/get-profile';
import { getProfiles } from './methods/get-profiles';
import { getRebloggedBy } from './methods/get-reblogged-by';
import { getRelationshipBetweenAccounts } from './methods/get-relationship-between-accounts';
import { getTrendingTopics } from './methods/get-trending-topics';
import { listAllSubscriptions } from './methods/list-all-subscriptions';
import { listCommunities } from './methods/list-communities';
import { listCommunityRoles } from './methods/list-community-roles';
import { listMutedReasonsEnum } from './methods/list-muted-reasons-enum';
import { listPopCommunities } from './methods/list-pop-communities';
import { listSubscribers } from './methods/list-subscribers';
import { postNotifications } from './methods/post-notifications';
import { unreadNotifications } from './methods/unread-notifications';

/**
 * The methods that are answered here. To add one, write its file, and list it here and in `routes.yaml`, where all of
 * them must be local. A deployment that forwards one to nodes has its own `ROUTES_FILE`.
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
];
