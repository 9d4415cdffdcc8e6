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
  'bridge.get_post': post,
  'bridge.get_post_header': post,
  'bridge.normalize_post': { post },
  'bridge.get_discussion': post,
  'bridge.get_ranked_posts': { sort: 'created', tag: bees, limit: 5 },
  'bridge.get_account_posts': { sort: 'posts', account: 'alice', limit: 5 },
  'bridge.get_account_posts_by_tag': { account: 'alice', tag: bees },
  'bridge.get_payout_stats': { limit: 5 },
  'condenser_api.get_content': [post.author, post.permlink],
  'condenser_api.get_content_replies': [post.author, post.permlink],
  'tags_api.get_discussion': post,
  'tags_api.get_content_replies': post,
  'condenser_api.get_discussions_by_trending': [{ tag: bees, limit: 5 }],
  'condenser_api.get_discussions_by_hot': [{ tag: bees, limit: 5 }],
  'condenser_api.get_discussions_by_created': [{ tag: bees, limit: 5 }],
  'condenser_api.get_discussions_by_promoted': [{ limit: 5 }],
  'condenser_api.get_post_discussions_by_payout': [{ limit: 5 }],
  'condenser_api.get_comment_discussions_by_payout': [{ limit: 5 }],
  'condenser_api.get_discussions_by_blog': [{ tag: 'alice', limit: 5 }],
  'condenser_api.get_discussions_by_feed': [{ tag: 'bob', limit: 5 }],
  'condenser_api.get_discussions_by_comments': [{ start_author: 'bob', limit: 5 }],
  'condenser_api.get_discussions_by_author_before_date': ['alice', '', '2030-01-01T00:00:00', 5],
  'condenser_api.get_replies_by_last_update': ['alice', '', 5],
  'condenser_api.get_blog': ['alice', 0, 5],
  'condenser_api.get_blog_entries': ['alice', 0, 5],
  'condenser_api.get_trending_tags': ['', 5],
  'condenser_api.get_active_votes': [post.author, post.permlink],
  'tags_api.get_discussions_by_trending': { tag: bees, limit: 5 },
  'tags_api.get_discussions_by_hot': { tag: bees, limit: 5 },
  'tags_api.get_discussions_by_created': { tag: bees, limit: 5 },
  'tags_api.get_discussions_by_promoted': { limit: 5 },
  'tags_api.get_post_discussions_by_payout': { limit: 5 },
  'tags_api.get_comment_discussions_by_payout': { limit: 5 },
  'tags_api.get_discussions_by_blog': { tag: 'alice', limit: 5 },
  'tags_api.get_discussions_by_comments': { start_author: 'bob', limit: 5 },
  'tags_api.get_discussions_by_author_before_date': { author: 'alice', limit: 5 },
  'tags_api.get_active_votes': post,
  'follow_api.get_blog': { account: 'alice', start_entry_id: 0, limit: 5 },
  'follow_api.get_blog_entries': { account: 'alice', start_entry_id: 0, limit: 5 },
  'database_api.find_comments': { comments: [[post.author, post.permlink]] },
  'database_api.list_comments': { start: ['alice', ''], limit: 5, order: 'by_permlink' },
  'database_api.find_votes': post,
  'database_api.list_votes': { start: [post.author, post.permlink, ''], limit: 5, order: 'by_comment_voter' },
  'rpc.discover': [],
};

/** Calls that are forwarded to a node. */
export const upstreamCalls: Record<string, unknown> = {
  'condenser_api.get_accounts': [['alice', 'bob']],
  'condenser_api.get_dynamic_global_properties': [],
  'condenser_api.get_block': [2],
  'database_api.find_accounts': { accounts: ['alice'] },
  'block_api.get_block': { block_num: 3 },
};

/** Starts a gateway whose index has a result for every local call. */
export async function startWithActivity(): Promise<GatewayStack> {
  const stack = await GatewayStack.start({ unsigned: true, nodeKind: 'public' });
  includeSampleContent(stack.devnet.chain);
  const promotion = { from: 'alice', to: 'null', amount: '1.000 HBD', memo: `@${post.author}/${post.permlink}` };
  stack.devnet.chain.include([['transfer', promotion]], []);
  const listed = { follower: 'bob', following: 'dave' };
  stack.devnet.customJson('bob', 'follow', ['follow', { ...listed, what: ['blacklist'] }]);
  stack.devnet.customJson('bob', 'follow', ['follow', { ...listed, following: 'carol', what: ['follow_blacklist'] }]);
  await stack.indexed();
  return stack;
}
