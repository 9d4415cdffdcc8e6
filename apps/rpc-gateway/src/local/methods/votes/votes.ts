import { assertionFailed } from '@waggle/contracts';
import { type RowIn } from '@waggle/service';
import { activeVote } from '../../../posts/condenser-vote';
import { activeVotes, exampleActiveVote } from '../../../posts/condenser-vote.schema';
import { databaseVote } from '../../../posts/database-vote';
import { databaseVotes, exampleDatabaseVote } from '../../../posts/database-vote.schema';
import { findCursor, getPost } from '../../../posts/known-posts';
import { maxVotesPerPost } from '../../../posts/read-posts';
import { encodeJson } from '../../../rpc/encode-json';
import { votesByPost, votesByVoter } from '../../../posts/votes.statements';
import { type Needs } from '../../../index-state/needs';
import { method, methods } from '../../declaration/declaration';
import { accountNameOf, permlinkOf } from '../../declaration/parameter-values';
import { account, limit, oneOf, optionalAccount, startOf } from '../../declaration/parameters';
import { permlink } from '../../declaration/post-parameters';
import { type Sources } from '../../declaration/sources';

const needs: Needs = ['live-head', 'posts', 'votes', 'reputations', 'follows'];
const params = { author: 'alice', permlink: 'the-first-swarm' };

/** The parameters of methods that name a post. */
const ofPost = { author: account('author'), permlink, observer: optionalAccount('observer') };

type Votes = Promise<RowIn<typeof votesByPost>[]>;

async function votesOn(author: string, link: string, observer: string, { database, accounts }: Sources): Votes {
  const observerId = await accounts.findIndexedId(observer);
  const { id } = await getPost(database, author, link);
  return votesByPost.query(database, { postId: id, from: 0, limit: maxVotesPerPost, observerId });
}

export const getActiveVotes = methods({
  names: ['condenser_api.get_active_votes', 'tags_api.get_active_votes'],
  summary: 'The first 1,000 votes on a post, from older accounts to newer ones',
  required: 2,
  parameters: ofPost,
  result: activeVotes,
  example: { params, result: [exampleActiveVote] },
  needs,
  handle: async ({ author, permlink: link, observer }, sources) =>
    encodeJson((await votesOn(author, link, observer, sources)).map(activeVote)),
});

export const findVotes = method({
  name: 'database_api.find_votes',
  summary: 'The same in another format',
  required: 2,
  parameters: ofPost,
  result: databaseVotes,
  example: { params, result: { votes: [exampleDatabaseVote] } },
  needs,
  handle: async ({ author, permlink: link, observer }, sources) =>
    encodeJson({ votes: (await votesOn(author, link, observer, sources)).map(databaseVote) }),
});

/** What `start` contains in each order, for the error if it has another length. */
const orders = {
  by_comment_voter: 'post author and permlink, optional page start voter',
  by_voter_comment: 'voter, optional page start author and permlink',
} as const;

export const listVotes = method({
  name: 'database_api.list_votes',
  summary: 'The votes on a post by the age of the voters, or the votes of an account by the age of the posts',
  required: 3,
  parameters: {
    start: startOf([3]),
    limit: limit(1_000),
    order: oneOf('order', {
      values: ['by_comment_voter', 'by_voter_comment'],
      errorMessage: 'Unsupported order, valid orders',
    }),
    observer: optionalAccount('observer'),
  },
  result: databaseVotes,
  example: {
    params: { start: ['alice', 'the-first-swarm', ''], limit: 10, order: 'by_comment_voter' },
    result: { votes: [exampleDatabaseVote] },
  },
  needs,
  handle: async ({ start, limit: maxRows, order, observer }, sources) => {
    if (start.length !== 3) throw assertionFailed(`Expecting 3 arguments in 'start' array: ${orders[order]}`);
    const observerId = await sources.accounts.findIndexedId(observer);
    const rows = await (order === 'by_comment_voter'
      ? ofComment(start, { limit: maxRows, observerId }, sources)
      : ofVoter(start, maxRows, sources));
    return encodeJson({ votes: rows.map(databaseVote) });
  },
});

/** The votes on a post, from a voter on. */
async function ofComment(
  [author, link, voter]: readonly unknown[],
  page: { readonly limit: number; readonly observerId: number | null },
  { database, accounts }: Sources,
): Votes {
  const authorName = accountNameOf(author, 'account name');
  const permlinkText = permlinkOf(link);
  const firstVoter = optionalName(voter);
  const { id } = await getPost(database, authorName, permlinkText);
  const from = (await accounts.findId(firstVoter)) ?? 0;
  return votesByPost.query(database, { postId: id, from, ...page });
}

/** The votes of an account, from a post on. */
async function ofVoter(
  [voter, author, link]: readonly unknown[],
  maxRows: number,
  { database, accounts }: Sources,
): Votes {
  const name = accountNameOf(voter, 'account name');
  const firstAuthor = optionalName(author);
  const firstPermlink = isEmpty(link) ? '' : permlinkOf(link);
  const from = (await findCursor(database, firstAuthor, firstPermlink)) ?? 0;
  return votesByVoter.query(database, { voterId: await accounts.getId(name), from, limit: maxRows });
}

function optionalName(value: unknown): string {
  return isEmpty(value) ? '' : accountNameOf(value, 'account name');
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
