import { assertionFailed } from '@waggle/contracts';
import {
  commentsByLastUpdate,
  commentsByLink,
  commentsByParent,
  commentsByPermlink,
  commentsByRoot,
  paidComments,
  unpaidByCreation,
} from '../../../posts/comment-lists.statements';
import { databaseComment } from '../../../posts/database-comment';
import { databaseComments, exampleDatabaseComment } from '../../../posts/database-comment.schema';
import { findCursor, getPost } from '../../../posts/known-posts';
import { longReads } from '../../../posts/long-reads';
import { postsJson } from '../../../posts/read-posts';
import { createdBefore } from '../../../posts/times';
import { type JsonText } from '../../../rpc/json-text';
import { toStorableText } from '../../../storable-text';
import { method } from '../../declaration/declaration';
import { accountNameOf, permlinkOf } from '../../declaration/parameter-values';
import { limit, oneOf, startOf } from '../../declaration/parameters';
import { links } from '../../declaration/post-parameters';
import { type Sources } from '../../declaration/sources';
import { idsOf, postNeeds } from './post-methods';

const example = { comments: [exampleDatabaseComment] };

function commentsOf(ids: readonly string[], sources: Sources): Promise<JsonText> {
  const options = { observerId: null, hasVotes: false };
  return postsJson(sources, ids, options, (posts) => ({ comments: posts.map(databaseComment) }));
}

export const findComments = method({
  name: 'database_api.find_comments',
  summary: 'The posts and comments with the given links that exist and are not muted',
  required: 1,
  parameters: { comments: links },
  result: databaseComments,
  example: { params: { comments: [['alice', 'the-first-swarm']] }, result: example },
  needs: postNeeds,
  handle: async ({ comments }, sources) => {
    const authors = comments.map(([author]) => author);
    const permlinks = comments.map(([, permlink]) => permlink);
    return commentsOf(idsOf(await commentsByLink.query(sources.database, { authors, permlinks })), sources);
  },
});

type Start = readonly unknown[];

/** The optional link where a page begins: 0 without one. @throws RpcError if it is malformed or does not exist */
async function firstIdOf(author: unknown, permlink: unknown, { database }: Sources): Promise<string> {
  const name = author === undefined || author === null || author === '' ? '' : accountNameOf(author, 'account name');
  const link = permlink === undefined || permlink === null || permlink === '' ? '' : permlinkOf(permlink);
  return (await findCursor(database, name, link)) ?? '0';
}

async function postIdOf(author: unknown, permlink: unknown, { database }: Sources): Promise<string> {
  return (await getPost(database, accountNameOf(author, 'account name'), permlinkOf(permlink))).id;
}

function timeOf(value: unknown): Date {
  if (value === undefined || value === null || value === '') throw assertionFailed('Date is blank');
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(typeof value === 'string' ? value : '') ?? [];
  const date = new Date(`${day}T${time}Z`);
  if (Number.isNaN(date.getTime())) throw assertionFailed('Date should be in format Y-m-d H:M:S or Y-m-dTH:M:S');
  return date;
}

interface Order {
  readonly length: number;
  /** What the values of `start` are, for the error if their number is wrong. */
  readonly expected: string;
  readonly read: (start: Start, limit: number, sources: Sources) => Promise<readonly { readonly id: string }[]>;
}

const byUpdate =
  (kind: keyof typeof commentsByLastUpdate): Order['read'] =>
  async ([account, time, author, permlink], maxRows, sources) => {
    const accountId = await sources.accounts.getId(accountNameOf(account, 'account name'));
    const from = await firstIdOf(author, permlink, sources);
    const page = { accountId, updated: timeOf(time), from, limit: maxRows };
    return longReads.run(() => commentsByLastUpdate[kind].query(sources.database, page));
  };

const orders = {
  by_cashout_time: {
    length: 3,
    expected: `three arguments in 'start' array: cashout time, optional page start author and permlink`,
    read: async ([time, author, permlink], maxRows, sources) => {
      const cashout = timeOf(time);
      const from = await firstIdOf(author, permlink, sources);
      // The time of paid posts.
      if (cashout.getUTCFullYear() === 1969) return paidComments.query(sources.database, { from, limit: maxRows });
      const unpaid = await unpaidByCreation.query(sources.database, {
        created: createdBefore(cashout),
        from,
        limit: maxRows,
      });
      const rest = maxRows - unpaid.length;
      return rest === 0
        ? unpaid
        : [...unpaid, ...(await paidComments.query(sources.database, { from: '0', limit: rest }))];
    },
  },
  by_permlink: {
    length: 2,
    expected: `two arguments in 'start' array: author and permlink`,
    read: async ([author, permlink], maxRows, { database }) => {
      if (typeof author !== 'string') throw assertionFailed('invalid account name type');
      if (typeof permlink !== 'string') throw assertionFailed('permlink must be string');
      const from = { author: toStorableText(author), permlink: toStorableText(permlink) };
      return commentsByPermlink.query(database, { ...from, limit: maxRows });
    },
  },
  by_root: {
    length: 4,
    expected: `4 arguments in 'start' array: discussion root author and permlink, optional page start author and permlink`,
    read: async ([rootAuthor, rootPermlink, author, permlink], maxRows, sources) => {
      const rootId = await postIdOf(rootAuthor, rootPermlink, sources);
      const from = await firstIdOf(author, permlink, sources);
      return commentsByRoot.query(sources.database, { rootId, from, limit: maxRows });
    },
  },
  by_parent: {
    length: 4,
    expected: `4 arguments in 'start' array: parent post author and permlink, optional page start author and permlink`,
    read: async ([parentAuthor, parentPermlink, author, permlink], maxRows, sources) => {
      const parentId = await postIdOf(parentAuthor, parentPermlink, sources);
      const from = await firstIdOf(author, permlink, sources);
      return commentsByParent.query(sources.database, { parentId, from, limit: maxRows });
    },
  },
  by_last_update: {
    length: 4,
    expected: `4 arguments in 'start' array: parent author, update time, optional page start author and permlink`,
    read: byUpdate('replies'),
  },
  by_author_last_update: {
    length: 4,
    expected: `4 arguments in 'start' array: author, update time, optional page start author and permlink`,
    read: byUpdate('authored'),
  },
} as const satisfies Readonly<Record<string, Order>>;

export const listComments = method({
  name: 'database_api.list_comments',
  summary: 'Posts and comments in an order, from that on which `start` names. Muted ones are left out',
  required: 3,
  parameters: {
    start: startOf(Object.values(orders).map(({ length }) => length)),
    limit: limit(1_000),
    order: oneOf('order', {
      values: ['by_cashout_time', 'by_permlink', 'by_root', 'by_parent', 'by_last_update', 'by_author_last_update'],
      errorMessage: 'Unsupported order, valid orders',
    }),
  },
  result: databaseComments,
  example: { params: { start: ['alice', ''], limit: 10, order: 'by_permlink' }, result: example },
  needs: postNeeds,
  handle: async ({ start, limit: maxRows, order }, sources) => {
    const { length, expected, read }: Order = orders[order];
    if (start.length !== length) throw assertionFailed(`Expecting ${expected}`);
    return commentsOf(idsOf(await read(start, maxRows, sources)), sources);
  },
});
