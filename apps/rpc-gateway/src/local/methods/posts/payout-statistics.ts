import { z } from 'zod';
import { hbdText } from '../../../posts/amounts';
import { hbd } from '../../../posts/field-schemas';
import { payoutStats, trendingTags } from '../../../posts/payout.statements';
import { checkCategory } from '../../../posts/ranked-ids';
import { method } from '../../declaration/declaration';
import { limit } from '../../declaration/parameters';
import { optionalTag } from '../../declaration/post-parameters';

const count = z.int().min(0);
const maxRows = 250;

export const getPayoutStats = method({
  name: 'bridge.get_payout_stats',
  summary: 'Payouts of unpaid posts, of each community, and of each author outside communities, highest first',
  required: 0,
  parameters: { limit: limit(maxRows) },
  result: z.strictObject({
    items: z.array(z.tuple([z.string(), z.string(), z.number(), count, count.nullable()])).meta({
      description: 'Name, title, payout in HBD, number of posts, and of their authors in a community',
    }),
    total: z.number(),
    blogs: z.number().meta({ description: 'Outside communities' }),
  }),
  example: {
    params: { limit: 10 },
    result: { items: [['hive-100001', 'Bees', 1.5, 2, 1]], total: 1.5, blogs: 0 },
  },
  needs: ['live-head', 'posts', 'post-contents', 'votes', 'communities'],
  handle: async ({ limit: maxItems }, { database, perBlock }) => {
    const all = await perBlock.get('payout-stats', () => payoutStats.query(database, { limit: maxRows }));
    const rows = all.slice(0, maxItems);
    const hbdOf = (thousandths: string | undefined) => Number(thousandths ?? 0) / 1_000;
    return {
      items: rows.map(({ community, title, author, payout, posts, authors }) => [
        community ?? `@${author ?? ''}`,
        title ?? `@${author ?? ''}`,
        hbdOf(payout),
        Number(posts),
        community === null ? null : Number(authors),
      ]),
      total: hbdOf(rows[0]?.total),
      blogs: hbdOf(rows[0]?.blogs),
    };
  },
});

export const getTrendingTags = method({
  name: 'condenser_api.get_trending_tags',
  summary: 'Categories by the payout of their unpaid posts and comments',
  required: 0,
  parameters: { start_tag: optionalTag('start_tag'), limit: limit(maxRows) },
  result: z.array(z.strictObject({ name: z.string(), comments: count, top_posts: count, total_payouts: hbd })),
  example: {
    params: { limit: 10 },
    result: [{ name: 'bees', comments: 1, top_posts: 1, total_payouts: '1.500 HBD' }],
  },
  needs: ['live-head', 'posts', 'post-contents', 'votes'],
  handle: async ({ start_tag: start, limit: maxTags }, { database, perBlock }) => {
    if (start !== '') await checkCategory(database, start);
    const all = await perBlock.get('trending-tags', () => trendingTags.query(database, {}));
    return tagsAfter(all, start, maxTags).map(({ name, comments, posts, payout }) => ({
      name,
      comments: Number(comments),
      top_posts: Number(posts),
      total_payouts: hbdText(BigInt(payout)),
    }));
  },
});

/** Returns the tags that follow one: none if it has no unpaid posts. An empty start is before the first tag. */
function tagsAfter<Tag extends { readonly name: string }>(
  all: readonly Tag[],
  start: string,
  maxTags: number,
): readonly Tag[] {
  if (start === '') return all.slice(0, maxTags);
  const position = all.findIndex(({ name }) => name === start);
  return position < 0 ? [] : all.slice(position + 1, position + 1 + maxTags);
}
