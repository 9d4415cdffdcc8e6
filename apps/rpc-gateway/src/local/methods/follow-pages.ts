import { z } from 'zod';
import { followLists } from '../../follows/follow-lists';
import { followerNames, followingNames } from '../../follows/follows.statements';
import { type Declaration, method } from '../declaration/declaration';
import { account, limit, oneOf, optionalAccount } from '../declaration/parameters';
import { type Sources } from '../declaration/sources';

const lists = { blog: followLists.follows, ignore: followLists.ignores };

const followType = (name: string) =>
  oneOf(name, {
    values: ['blog', 'ignore'],
    defaultValue: 'blog',
    errorMessage: 'Unsupported follow type, valid types',
  });

type Link = (account: string, other: string) => { readonly follower: string; readonly following: string };

interface Page {
  readonly account: string;
  readonly start: string;
  readonly type: keyof typeof lists;
  readonly limit: number;
}

const result = z.array(
  z.strictObject({ follower: z.string(), following: z.string(), what: z.array(z.enum(['blog', 'ignore'])) }),
);

/**
 * Declares the methods that list the followers of an account, or the accounts that it follows, in the order of their
 * names, beginning after `start`. One parameter has different names in the two namespaces.
 *
 * @param query without its namespace
 */
export function followPages(
  query: string,
  {
    summary,
    statement,
    link,
  }: { summary: string; statement: typeof followerNames | typeof followingNames; link: Link },
): readonly Declaration[] {
  const parameters = { account: account('account'), start: optionalAccount('start') };
  const page = async ({ account: name, start, type, limit: maxRows }: Page, { database, accounts }: Sources) => {
    const id = await accounts.getId(name);
    // Rejects the name of an account that does not exist.
    await accounts.findId(start);
    const rows = await statement.query(database, { accountId: id, lists: lists[type], after: start, limit: maxRows });
    return rows.map((row) => ({ ...link(name, row.name), what: [type] }));
  };
  const described: Pick<Declaration, 'summary' | 'result' | 'needs' | 'example'> = {
    summary,
    result,
    needs: ['live-head', 'follows'],
    example: {
      params: { account: 'alice', limit: 1 },
      result: [{ ...link('alice', 'bob'), what: ['blog'] }],
    },
  };
  return [
    method({
      ...described,
      name: `condenser_api.${query}`,
      required: 1,
      parameters: { ...parameters, follow_type: followType('follow_type'), limit: limit(1_000) },
      handle: ({ follow_type: type, ...rest }, sources) => page({ ...rest, type }, sources),
    }),
    method({
      ...described,
      name: `follow_api.${query}`,
      required: 1,
      parameters: { ...parameters, type: followType('type'), limit: limit(1_000) },
      handle: page,
    }),
  ];
}

export const getFollowers = followPages('get_followers', {
  summary: 'The accounts that follow an account, or have muted it, by name',
  statement: followerNames,
  link: (following, follower) => ({ following, follower }),
});

export const getFollowing = followPages('get_following', {
  summary: 'The accounts that an account follows, or has muted, by name',
  statement: followingNames,
  link: (follower, following) => ({ following, follower }),
});
