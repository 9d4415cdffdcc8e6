import { z } from 'zod';
import { accountPages } from '../../../posts/account-pages';
import { condenserPostSchema, exampleCondenserPost } from '../../../posts/condenser-post';
import { readFeed } from '../../../posts/feed';
import { findCursor, getPost } from '../../../posts/known-posts';
import { unindexedAccountId } from '../../../accounts/known-accounts';
import { methods } from '../../declaration/declaration';
import {
  account,
  filterTags,
  ignored,
  limit,
  optionalAccount,
  optionalPermlink,
  truncateBody,
} from '../../declaration/parameters';
import { condenserPosts, idsOf, postNeeds } from './post-methods';

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
    const page = { accountId, after, observerId, reasons: null, limit: maxRows };
    const ids = idsOf(await accountPages.blog.query(sources.database, page));
    return condenserPosts(sources, ids, observerId, { truncateBody: rest.truncate_body });
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
    const rows = await readFeed(sources.database, {
      accountId,
      after,
      observerId,
      reasons: null,
      limit: maxRows,
    });
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
    const page = { accountId, after, observerId, reasons: null, limit: maxRows };
    const ids = idsOf(await accountPages.comments.query(sources.database, page));
    return condenserPosts(sources, ids, observerId, { truncateBody: rest.truncate_body });
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
    const page = { accountId, after, observerId: null, reasons: null, limit: maxRows };
    const ids = idsOf(await accountPages.posts.query(sources.database, page));
    return condenserPosts(sources, ids, null, { truncateBody: truncate });
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
    const page = { accountId, after: comment?.id ?? null, observerId, reasons: null, limit: maxRows };
    const ids = idsOf(await accountPages.replies.query(database, page));
    return condenserPosts(sources, ids, observerId, { truncateBody: rest.truncate_body });
  },
});

export const accountDiscussions = [...byBlog, ...byFeed, ...byComments, ...byAuthor, ...replies];
