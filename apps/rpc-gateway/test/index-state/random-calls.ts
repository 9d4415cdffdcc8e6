import { seedAccounts } from '@waggle/devnet';
import { type Random } from '@waggle/testing';
import { z } from 'zod';

export interface RandomCall {
  readonly method: string;
  readonly params: unknown;
}

interface Link {
  readonly author: string;
  readonly permlink: string;
}

const communities = ['hive-100001', 'hive-200001', 'hive-300001', 'hive-999999'];
const notifications = z.array(z.object({ id: z.number() })).min(1);

/** Makes random calls of every local method, with invalid parameters and unknown names among them. */
export class RandomCalls {
  /** `last_id`s of pages that were read before. */
  private readonly lastIds: number[] = [0];

  /** @param posts the number of posts on the chain, as `RandomActivity` names them */
  constructor(
    private readonly random: Random,
    private readonly posts: number,
  ) {}

  next(): RandomCall {
    const { random } = this;
    const [method, params] = random.pick(this.kinds());
    return { method, params };
  }

  /** Continues a later call from the last item of a page. */
  remember(result: unknown): void {
    const page = notifications.safeParse(result);
    const last = page.data?.at(-1);
    if (last !== undefined) this.lastIds.push(last.id);
    if (this.lastIds.length > 200) this.lastIds.splice(1, 100);
  }

  private kinds(): [method: string, params: unknown][] {
    const { random } = this;
    const account = this.account();
    const other = this.account();
    const community = random.pick(communities);
    const limit = 1 + random.below(random.chance(0.1) ? 200 : 20);
    const post = { author: account, permlink: `p-${random.below(this.posts)}` };
    const page = { min_score: random.pick([0, 25, 50]), last_id: random.pick(this.lastIds), limit };
    const list = random.pick(['blog', 'ignore', 'nonsense']);
    const observer = random.chance(0.5) ? { observer: other } : {};
    return [
      ['bridge.account_notifications', { account, ...page }],
      ['bridge.account_notifications', { account, ...page }],
      ['bridge.unread_notifications', { account }],
      ['bridge.post_notifications', { ...post, ...page }],
      ['bridge.get_relationship_between_accounts', [account, other]],
      ['bridge.get_follow_list', { observer: account, follow_type: random.pick(['muted', 'blacklisted']) }],
      ['bridge.does_user_follow_any_lists', { observer: account }],
      ['bridge.get_community', { name: community, ...observer }],
      ['bridge.get_community_context', { name: community, account }],
      ['bridge.list_communities', { limit, sort: random.pick(['rank', 'new', 'subs']) }],
      ['bridge.list_community_roles', { community, limit }],
      ['bridge.list_subscribers', { community, limit }],
      ['bridge.list_all_subscriptions', { account }],
      ['bridge.get_profile', { account, ...observer }],
      ['bridge.get_profiles', { accounts: [account, other] }],
      ['bridge.get_trending_topics', { limit: Math.min(limit, 25) }],
      ['bridge.list_pop_communities', { limit: Math.min(limit, 25) }],
      ['bridge.list_muted_reasons_enum', {}],
      ['condenser_api.get_account_reputations', [account, limit]],
      ['condenser_api.get_account_votes', [account]],
      ['condenser_api.get_state', ['trending']],
      ['condenser_api.get_followers', [account, random.chance(0.3) ? other : null, list, limit]],
      ['condenser_api.get_following', [account, random.chance(0.3) ? other : null, list, limit]],
      ['condenser_api.get_follow_count', [account]],
      ['condenser_api.get_reblogged_by', [post.author, post.permlink]],
      ['follow_api.get_followers', { account, start: null, type: list, limit }],
      ['follow_api.get_following', { account, start: null, type: list, limit }],
      ['follow_api.get_follow_count', { account }],
      ['follow_api.get_reblogged_by', post],
      ...this.postKinds(post),
    ];
  }

  /** Calls of the methods that read posts and votes. Some continue a page. */
  private postKinds(post: Link): [method: string, params: unknown][] {
    const { random } = this;
    const { author: account, permlink } = post;
    const other = this.account();
    const start = random.chance(0.5) ? { start_author: account, start_permlink: permlink } : {};
    const observer = random.chance(0.5) ? { observer: other } : {};
    const reasons = random.chance(0.2) ? { muted_reasons_filter: [random.below(6)] } : {};
    const limit = 1 + random.below(random.chance(0.1) ? 40 : 20);
    const tag = random.pick(['', 'all', 'my', 'test', 'nonsense', ...communities]);
    const page = { ...start, limit, ...observer };
    const ranked = {
      sort: random.pick(['trending', 'hot', 'created', 'payout', 'payout_comments', 'muted', 'x']),
      tag,
    };
    const listed = { sort: random.pick(['blog', 'feed', 'posts', 'comments', 'replies', 'payout']), account };
    const query = random.pick(['trending', 'hot', 'created', 'promoted']);
    const payouts = random.pick(['get_post_discussions_by_payout', 'get_comment_discussions_by_payout']);
    return [
      ['bridge.get_post', { ...post, ...observer }],
      ['bridge.get_post_header', post],
      ['bridge.get_discussion', { ...post, ...observer, ...reasons }],
      ['bridge.get_ranked_posts', { ...ranked, ...page, ...reasons }],
      ['bridge.get_account_posts', { ...listed, ...page, ...reasons }],
      ['bridge.get_account_posts_by_tag', { account, tag, ...page }],
      ['bridge.get_payout_stats', { limit }],
      ['condenser_api.get_content', [account, permlink]],
      ['condenser_api.get_content_replies', [account, permlink]],
      ['tags_api.get_discussion', { ...post, ...observer }],
      ['tags_api.get_content_replies', post],
      [`condenser_api.get_discussions_by_${query}`, [{ tag, ...page }]],
      [`tags_api.get_discussions_by_${query}`, { tag, ...page, truncate_body: limit }],
      [`condenser_api.${payouts}`, [{ tag, ...page }]],
      ['condenser_api.get_discussions_by_blog', [{ tag: account, ...page }]],
      ['condenser_api.get_discussions_by_feed', [{ tag: account, ...page }]],
      ['condenser_api.get_discussions_by_comments', [{ start_author: account, limit }]],
      ['condenser_api.get_discussions_by_author_before_date', [account, '', '', limit]],
      ['condenser_api.get_replies_by_last_update', [account, random.chance(0.5) ? permlink : '', limit]],
      ['condenser_api.get_blog', [account, random.below(10) - 2, limit]],
      ['condenser_api.get_blog_entries', [account, random.below(10) - 2, limit]],
      ['condenser_api.get_trending_tags', [random.pick(['', ...communities]), limit]],
      ['condenser_api.get_active_votes', [account, permlink]],
      [
        'database_api.find_comments',
        {
          comments: [
            [account, permlink],
            [other, 'nowhere'],
          ],
        },
      ],
      ['database_api.list_comments', { start: [account, permlink], limit, order: 'by_permlink' }],
      [
        'database_api.list_comments',
        { start: [account, permlink, '', ''], limit, order: random.pick(['by_root', 'by_parent']) },
      ],
      [
        'database_api.list_comments',
        { start: [account, '2030-01-01T00:00:00', '', ''], limit, order: 'by_last_update' },
      ],
      ['database_api.find_votes', post],
      ['database_api.list_votes', { start: [account, permlink, ''], limit, order: 'by_comment_voter' }],
      ['database_api.list_votes', { start: [account, '', ''], limit, order: 'by_voter_comment' }],
    ];
  }

  private account(): string {
    const { random } = this;
    if (random.chance(0.05)) return random.pick(['nobody-here', 'x', 'Alice']);
    return random.pick(random.chance(0.2) ? communities : seedAccounts);
  }
}
