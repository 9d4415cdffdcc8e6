import { z } from 'zod';
import { accountPages } from '../../../posts/account-pages';
import { condenserPostSchema, exampleCondenserPost } from '../../../posts/condenser-post.schema';
import { readFeed } from '../../../posts/feed';
import { findCursor, getPost } from '../../../posts/known-posts';
import { unindexedAccountId } from '../../../accounts/known-accounts';
import { type JsonText } from '../../../rpc/json-text';
import { methods } from '../../declaration/declaration';
import { account, ignored, limit, optionalAccount } from '../../declaration/parameters';
import { filterTags, optionalPermlink, truncateBody } from '../../declaration/post-parameters';
import { type Sources } from '../../declaration/sources';
import { condenserPosts, idsOf, postNeeds } from './post-methods';

interface PageRequest {
  readonly accountId: number;
  /** The last post of the previous page. */
  readonly after: string | null;
  readonly observerId: number | null;
  readonly limit: number;
  /** The maximum length of bodies; 0 for whole ones. */
  readonly truncateBody: number;
}

/** Reads a page of a list that belongs to an account. */
async function readPage(
  list: 'blog' | 'comments' | 'posts' | 'replies',
  { truncateBody: length, ...page }: PageRequest,
  sources: Sources,
): Promise<JsonText> {
  const rows = await accountPages[list].query(sources.database, { ...page, reasons: null });
  return condenserPosts(sources, idsOf(rows), page.observerId, { truncateBody: length });
}

const common = { result: z.array(condenserPostSchema), needs: postNeeds };
const result = [exampleCondenserPost];

const blogParameters = {
  tag: account('tag'),
  start_author: optionalAccount('account name'),
  start_permlink: optionalPermlink,
  limit: limit(20),
  truncate_body: truncateBody,
  filter_tags: filterTags,
  observer: optionalAccount('observer'),
};

const byBlog = methods({
  ...common,
  names: ['condenser_api.get_discussions_by_blog', 'tags_api.get_discussions_by_blog'],
  summary: 'The posts of an account (`tag`) and those that it reblogged, newest first',
  required: 1,
  parameters: blogParameters,
  example: { params: { tag: 'alice', limit: 10 }, result },
  handle: async ({ tag, start_author: author, start_permlink: permlink, limit: maxRows, ...rest }, sources) => {
    const accountId = await sources.accounts.getId(tag);
    const observerId = (await sources.accounts.findId(rest.observer)) ?? null;
    const after = await findCursor(sources.database, author, permlink);
    const page = { accountId, after, observerId, limit: maxRows, truncateBody: rest.truncate_body };
    return readPage('blog', page, sources);
  },
});

const byFeed = methods({
  ...common,
  names: ['condenser_api.get_discussions_by_feed'],
  summary: 'What the accounts that an account (`tag`) follows posted or reblogged within a month, newest first',
  required: 1,
  parameters: blogParameters,
  example: { params: { tag: 'alice', limit: 10 }, result },
  handle: async ({ tag, start_author: author, start_permlink: permlink, limit: maxRows, ...rest }, sources) => {
    const accountId = await sources.accounts.getId(tag);
    const observerId = (await sources.accounts.findId(rest.observer)) ?? null;
    const after = await findCursor(sources.database, author, permlink);
    const page = { accountId, after, observerId, reasons: null, limit: maxRows };
    const rows = await readFeed(sources.database, page);
    const blogs = new Map(rows.map((row) => [row.id, row.blogs]));
    return condenserPosts(sources, idsOf(rows), observerId, (post) => ({
      truncateBody: rest.truncate_body,
      rebloggedBy: blogs.get(post.id)?.filter((blog) => blog !== post.author) ?? [],
    }));
  },
});

const byComments = methods({
  ...common,
  names: ['condenser_api.get_discussions_by_comments', 'tags_api.get_discussions_by_comments'],
  summary: 'The comments of an account (`start_author`), newest first',
  required: 1,
  parameters: {
    start_author: account('account name'),
    start_permlink: optionalPermlink,
    limit: limit(20),
    truncate_body: truncateBody,
    filter_tags: filterTags,
    observer: optionalAccount('observer'),
  },
  example: { params: { start_author: 'alice', limit: 10 }, result },
  handle: async ({ start_author: author, start_permlink: permlink, limit: maxRows, ...rest }, sources) => {
    const accountId = await sources.accounts.getId(author);
    const observerId = (await sources.accounts.findId(rest.observer)) ?? null;
    const after = permlink === '' ? null : await findCursor(sources.database, author, permlink);
    const page = { accountId, after, observerId, limit: maxRows, truncateBody: rest.truncate_body };
    return readPage('comments', page, sources);
  },
});

const byAuthor = methods({
  ...common,
  names: ['condenser_api.get_discussions_by_author_before_date', 'tags_api.get_discussions_by_author_before_date'],
  summary: 'The posts of an account, newest first',
  required: 1,
  parameters: {
    author: account('author'),
    start_permlink: optionalPermlink,
    before_date: ignored,
    limit: limit(20, 10),
    truncate_body: truncateBody,
  },
  example: { params: { author: 'alice', limit: 10 }, result },
  handle: async ({ author, start_permlink: permlink, limit: maxRows, truncate_body: truncate }, sources) => {
    const accountId = await sources.accounts.getId(author);
    const after = permlink === '' ? null : await findCursor(sources.database, author, permlink);
    const page = { accountId, after, observerId: null, limit: maxRows, truncateBody: truncate };
    return readPage('posts', page, sources);
  },
});

const replies = methods({
  ...common,
  names: ['condenser_api.get_replies_by_last_update'],
  summary:
    'Replies to an account (`start_author`), newest first; with a permlink, replies to the author of the parent of that comment, after it',
  required: 1,
  parameters: {
    start_author: account('account name'),
    start_permlink: optionalPermlink,
    limit: limit(20),
    truncate_body: truncateBody,
    observer: optionalAccount('observer'),
  },
  example: { params: { start_author: 'alice', limit: 10 }, result },
  handle: async ({ start_author: author, start_permlink: permlink, limit: maxRows, ...rest }, sources) => {
    const { database, accounts } = sources;
    const authorId = await accounts.getId(author);
    const observerId = (await accounts.findId(rest.observer)) ?? null;
    const comment = permlink === '' ? undefined : await getPost(database, author, permlink);
    const accountId = comment === undefined ? authorId : (comment.parentAuthorId ?? unindexedAccountId);
    const after = comment?.id ?? null;
    const page = { accountId, after, observerId, limit: maxRows, truncateBody: rest.truncate_body };
    return readPage('replies', page, sources);
  },
});

export const accountDiscussions = [...byBlog, ...byFeed, ...byComments, ...byAuthor, ...replies];
