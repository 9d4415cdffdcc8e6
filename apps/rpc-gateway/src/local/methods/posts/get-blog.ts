import { type RowIn } from '@waggle/service';
import { z } from 'zod';
import { blogEntries } from '../../../posts/blog-entries.statements';
import { condenserPost } from '../../../posts/condenser-post';
import { condenserPostSchema, exampleCondenserPost } from '../../../posts/condenser-post.schema';
import { time } from '../../../posts/field-schemas';
import { postsJson } from '../../../posts/read-posts';
import { timeText } from '../../../posts/times';
import { methods } from '../../declaration/declaration';
import { account } from '../../declaration/parameters';
import { entryLimit, startEntryId } from '../../declaration/post-parameters';
import { type Sources } from '../../declaration/sources';
import { idsOf, postNeeds } from './post-methods';

const maxPosts = 20;
const maxEntries = 500;
const params = { account: 'alice', start_entry_id: 0, limit: 10 };

interface Page {
  readonly account: string;
  readonly start_entry_id: number;
  readonly limit: number;
}

async function readEntries(
  { account: name, start_entry_id: from, limit }: Page,
  { accounts, database }: Sources,
  max: number,
): Promise<RowIn<typeof blogEntries>[]> {
  const accountId = await accounts.getId(name);
  return blogEntries.query(database, {
    accountId,
    from,
    limit: limit === 0 ? Math.min(from < 0 ? 1 : from + 1, max) : limit,
  });
}

/** The fields of an entry; an own post was not reblogged. */
function entryOf({ entryId, author, created }: RowIn<typeof blogEntries>, blog: string) {
  return {
    blog,
    entry_id: Number(entryId),
    reblogged_on: author === blog ? '1970-01-01T00:00:00' : timeText(created),
  };
}

const entryFields = { blog: z.string(), entry_id: z.int().min(0), reblogged_on: time };
const exampleEntry = { blog: 'alice', entry_id: 0, reblogged_on: '1970-01-01T00:00:00' };

const withPosts = methods({
  names: ['condenser_api.get_blog', 'follow_api.get_blog'],
  summary: 'The blog of an account, newest first: its posts and those that it reblogged',
  required: 1,
  parameters: { account: account('account'), start_entry_id: startEntryId, limit: entryLimit(maxPosts) },
  result: z.array(z.strictObject({ ...entryFields, comment: condenserPostSchema })),
  example: { params, result: [{ ...exampleEntry, comment: exampleCondenserPost }] },
  needs: postNeeds,
  handle: async (page, sources) => {
    const rows = await readEntries(page, sources, maxPosts);
    return postsJson(sources, idsOf(rows), { observerId: null }, (posts) => {
      const byId = new Map(posts.map((post) => [post.id, post]));
      return rows.flatMap((row) => {
        const post = byId.get(row.id);
        return post === undefined ? [] : [{ ...entryOf(row, page.account), comment: condenserPost(post) }];
      });
    });
  },
});

const withLinks = methods({
  names: ['condenser_api.get_blog_entries', 'follow_api.get_blog_entries'],
  summary: 'The same without the posts themselves',
  required: 1,
  parameters: { account: account('account'), start_entry_id: startEntryId, limit: entryLimit(maxEntries) },
  result: z.array(z.strictObject({ ...entryFields, author: z.string(), permlink: z.string() })),
  example: { params, result: [{ ...exampleEntry, author: 'alice', permlink: 'the-first-swarm' }] },
  needs: ['live-head', 'posts', 'post-contents'],
  handle: async (page, sources) => {
    const rows = await readEntries(page, sources, maxEntries);
    return rows.map((row) => ({ ...entryOf(row, page.account), author: row.author, permlink: row.permlink }));
  },
});

export const getBlog = [...withPosts, ...withLinks];
