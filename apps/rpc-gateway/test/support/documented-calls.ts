import { includeSampleContent } from '@waggle/devnet';
import { GatewayStack } from './gateway-stack';

const bees = 'hive-100001';
const post = { author: 'alice', permlink: 'the-first-swarm' };

/** A call of every local method, as applications send it, with a result that is not empty. */
export const localCalls: Record<string, unknown> = {
  'bridge.account_notifications': { account: 'alice', limit: 50 },
  'bridge.unread_notifications': { account: 'alice' },
  'bridge.post_notifications': { ...post, min_score: 0 },
  'bridge.get_relationship_between_accounts': ['bob', 'alice'],
  'bridge.get_follow_list': { observer: 'bob', follow_type: 'blacklisted' },
  'bridge.does_user_follow_any_lists': { observer: 'bob' },
  'bridge.get_community': { name: bees, observer: 'alice' },
  'bridge.get_community_context': { name: bees, account: 'alice' },
  'bridge.list_communities': { limit: 5 },
  'bridge.list_community_roles': { community: bees },
  'bridge.list_subscribers': { community: bees },
  'bridge.list_all_subscriptions': { account: 'bob' },
  'bridge.get_profile': { account: 'alice', observer: 'bob' },
  'bridge.get_profiles': { accounts: ['alice', 'bob'] },
  'bridge.get_trending_topics': { limit: 5 },
  'bridge.list_pop_communities': { limit: 5 },
  'bridge.list_muted_reasons_enum': {},
  'condenser_api.get_account_reputations': ['alice', 2],
  'condenser_api.get_followers': ['alice', null, 'blog', 10],
  'condenser_api.get_following': ['bob', null, 'blog', 10],
  'condenser_api.get_follow_count': ['alice'],
  'condenser_api.get_reblogged_by': [post.author, post.permlink],
  'follow_api.get_followers': { account: 'alice', start: null, type: 'blog', limit: 10 },
  'follow_api.get_following': { account: 'bob', start: null, type: 'blog', limit: 10 },
  'follow_api.get_follow_count': { account: 'alice' },
  'follow_api.get_reblogged_by': post,
  'rpc.discover': [],
};

/** Calls that are forwarded to a node. */
export const upstreamCalls: Record<string, unknown> = {
  'condenser_api.get_accounts': [['alice', 'bob']],
  'condenser_api.get_dynamic_global_properties': [],
  'condenser_api.get_block': [2],
  'database_api.find_accounts': { accounts: ['alice'] },
  'block_api.get_block': { block_num: 3 },
  'bridge.get_post': post,
};

/** Starts a gateway whose index has a result for every local call. */
export async function startWithActivity(): Promise<GatewayStack> {
  const stack = await GatewayStack.start({ unsigned: true, nodeKind: 'public' });
  includeSampleContent(stack.devnet.chain);
  const listed = { follower: 'bob', following: 'dave' };
  stack.devnet.customJson('bob', 'follow', ['follow', { ...listed, what: ['blacklist'] }]);
  stack.devnet.customJson('bob', 'follow', ['follow', { ...listed, following: 'carol', what: ['follow_blacklist'] }]);
  await stack.indexed();
  return stack;
}
