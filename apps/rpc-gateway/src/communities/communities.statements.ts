import { sql, Statement } from '@waggle/service';
import { communityRoles } from './roles';
import { accountTable } from '../accounts/account.entity';
import { communityRoleTable } from './community-role.entity';
import { communityTable } from './community.entity';

/** The columns of a community in the order of the response. A community without a title has its name instead. */
const columns = `
  c.id, a.name, coalesce(nullif(c.title, ''), '@' || a.name) AS title, c.about, c.lang, c.type_id, c.is_nsfw, c.subscribers,
  round(c.pending_payout / 1000.0)::int AS sum_pending, c.pending_posts AS num_pending, c.authors AS num_authors,
  to_char(c.created AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS created_at`;

const communityColumns = {
  id: communityTable.id,
  name: accountTable.name,
  title: sql.notNull(communityTable.title),
  about: communityTable.about,
  lang: communityTable.lang,
  type_id: communityTable.typeId,
  is_nsfw: communityTable.isNsfw,
  subscribers: communityTable.subscribers,
  sum_pending: sql.notNull(sql.int4),
  num_pending: communityTable.pendingPosts,
  num_authors: communityTable.authors,
  created_at: sql.notNull(sql.text),
};

/** `$1` name. At most one row. */
export const communityByName = new Statement({
  name: 'community-by-name',
  text: `
    SELECT ${columns}, c.description, c.flag_text, c.settings
    FROM account a JOIN community c ON c.id = a.id WHERE a.name = $1`,
  parameters: { name: accountTable.name },
  columns: {
    ...communityColumns,
    description: communityTable.description,
    flag_text: communityTable.flagText,
    settings: communityTable.settings,
  },
});

/** `$1` name. At most one row, with the id. */
export const communityId = new Statement({
  name: 'community-id',
  text: 'SELECT c.id FROM account a JOIN community c ON c.id = a.id WHERE a.name = $1',
  parameters: { name: accountTable.name },
  columns: { id: communityTable.id },
});

/** By payout, authors, posts and subscribers; among equals those without a title last. */
const byRank = `round(c.pending_payout / 1000.0) DESC, c.authors DESC, c.pending_posts DESC, c.subscribers DESC,
  c.title = '', c.id DESC`;

/** The orders of the list. */
const communitySorts = { rank: byRank, new: 'c.id DESC', subs: 'c.subscribers DESC, c.id DESC' } as const;

/** Makes a statement for each order of the list. */
function forSorts<AStatement>(make: (sort: keyof typeof communitySorts) => AStatement) {
  return { rank: make('rank'), new: make('new'), subs: make('subs') };
}

/** The page after the community `lastId`, or the first one. The list is short enough to be sorted for each page. */
export const communityLists = forSorts(
  (sort) =>
    new Statement({
      name: `communities-by-${sort}`,
      text: `
      WITH sorted AS (SELECT c.id, row_number() OVER (ORDER BY ${communitySorts[sort]}) AS position FROM community c)
      SELECT ${columns}, (
        SELECT coalesce(array_agg(admin.name ORDER BY admin.name), '{}')
        FROM community_role r JOIN account admin ON admin.id = r.account_id
        WHERE r.community_id = c.id AND r.role = ${communityRoles.admin}
      ) AS admins
      FROM sorted s JOIN community c ON c.id = s.id JOIN account a ON a.id = c.id
      WHERE s.position > coalesce((SELECT position FROM sorted WHERE id = $1), 0)
        AND ($2::text IS NULL OR to_tsvector('english', c.title || ' ' || c.about) @@ plainto_tsquery('english', $2))
      ORDER BY s.position LIMIT $3`,
      parameters: { lastId: sql.nullable(communityTable.id), words: sql.nullable(sql.text), limit: sql.int8 },
      columns: { ...communityColumns, admins: sql.notNull(sql.arrayOf(accountTable.name)) },
    }),
);

/** `$1` limit. Rows by rank: name and title; the name replaces a missing title. */
export const trendingTopics = new Statement({
  name: 'trending-topics',
  text: `
    SELECT a.name, coalesce(nullif(c.title, ''), a.name) AS title
    FROM community c JOIN account a ON a.id = c.id ORDER BY ${byRank} LIMIT $1`,
  parameters: { limit: sql.int8 },
  columns: { name: accountTable.name, title: sql.notNull(communityTable.title) },
});

/** `$1` limit. Rows: name and title, by the number of new subscribers in the month before the last block. */
export const popularCommunities = new Statement({
  name: 'popular-communities',
  text: `
    SELECT a.name, c.title
    FROM (
      SELECT community_id, count(*) AS subscribers FROM subscription
      WHERE created > (SELECT max(block_time) FROM chain_checkpoint) - interval '1 month' GROUP BY community_id
    ) fresh JOIN community c ON c.id = fresh.community_id JOIN account a ON a.id = c.id
    ORDER BY fresh.subscribers DESC, c.id DESC LIMIT $1`,
  parameters: { limit: sql.int8 },
  columns: { name: accountTable.name, title: communityTable.title },
});

/** `$1` id of an account; `$2` ids of communities. Rows: community, role, title and whether it is subscribed. */
export const communityContexts = new Statement({
  name: 'community-contexts',
  text: `
    SELECT c.id, coalesce(r.role, ${communityRoles.guest}) AS role, coalesce(r.title, '') AS title,
      EXISTS (SELECT FROM subscription s WHERE s.community_id = c.id AND s.account_id = $1) AS subscribed
    FROM unnest($2::int[]) c (id)
    LEFT JOIN community_role r ON r.community_id = c.id AND r.account_id = $1`,
  parameters: { accountId: accountTable.id, communityIds: sql.arrayOf(communityTable.id) },
  columns: {
    id: sql.notNull(communityTable.id),
    role: sql.notNull(sql.int4),
    title: sql.notNull(communityRoleTable.title),
    subscribed: sql.notNull(sql.bool),
  },
});

/** `$1` id of a community. Rows: name, role and title of its moderators and above, highest role first. */
export const communityTeam = new Statement({
  name: 'community-team',
  text: `
    SELECT a.name, r.role, r.title FROM community_role r JOIN account a ON a.id = r.account_id
    WHERE r.community_id = $1 AND r.role >= ${communityRoles.mod} ORDER BY r.role DESC, a.id DESC`,
  parameters: { communityId: communityTable.id },
  columns: { name: accountTable.name, role: communityRoleTable.role, title: communityRoleTable.title },
});

/**
 * `$1` id of a community; `$2` role of the last row, null for the first page; `$3` its name; `$4` limit. Rows: name,
 * role and title.
 */
export const communityRoleList = new Statement({
  name: 'community-role-list',
  text: `
    SELECT a.name, r.role, r.title FROM community_role r JOIN account a ON a.id = r.account_id
    WHERE r.community_id = $1 AND r.role <> ${communityRoles.guest}
      AND ($2::int IS NULL OR r.role < $2 OR (r.role = $2 AND a.name > $3))
    ORDER BY r.role DESC, a.name LIMIT $4`,
  parameters: {
    communityId: communityTable.id,
    lastRole: sql.nullable(sql.int4),
    lastName: accountTable.name,
    limit: sql.int8,
  },
  columns: { name: accountTable.name, role: communityRoleTable.role, title: communityRoleTable.title },
});

/**
 * `$1` id of a community; `$2` last name; `$3` limit. Rows: name, role, title (null without a row in `community_role`),
 * time.
 */
export const communitySubscribers = new Statement({
  name: 'community-subscribers',
  text: `
    SELECT a.name, coalesce(r.role, ${communityRoles.guest}) AS role, r.title,
      to_char(s.created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') AS since
    FROM subscription s JOIN account a ON a.id = s.account_id
    LEFT JOIN community_role r ON r.community_id = s.community_id AND r.account_id = s.account_id
    WHERE s.community_id = $1 AND a.name > $2 ORDER BY a.name LIMIT $3`,
  parameters: { communityId: communityTable.id, after: accountTable.name, limit: sql.int8 },
  columns: {
    name: sql.notNull(accountTable.name),
    role: sql.notNull(sql.int4),
    title: sql.nullable(communityRoleTable.title),
    since: sql.notNull(sql.text),
  },
  // The best plan depends on the number of subscribers.
  isPrepared: false,
});

/** `$1` id of a community; `$2` name of an account. A row if the account is subscribed. */
export const subscriptionOf = new Statement({
  name: 'subscription-of',
  text: `
    SELECT FROM subscription s JOIN account a ON a.id = s.account_id
    WHERE s.community_id = $1 AND a.name = $2`,
  parameters: { communityId: communityTable.id, account: accountTable.name },
  columns: {},
});

/**
 * `$1` id of an account. Rows: name and title of each community that it is subscribed to, with its role and title
 * there.
 */
export const accountSubscriptions = new Statement({
  name: 'account-subscriptions',
  text: `
    SELECT a.name, c.title, coalesce(r.role, ${communityRoles.guest}) AS role, coalesce(r.title, '') AS "ownTitle"
    FROM subscription s JOIN community c ON c.id = s.community_id JOIN account a ON a.id = c.id
    LEFT JOIN community_role r ON r.community_id = s.community_id AND r.account_id = s.account_id
    WHERE s.account_id = $1 ORDER BY coalesce(r.role, ${communityRoles.guest}) DESC, ${byRank}`,
  parameters: { accountId: accountTable.id },
  columns: {
    name: sql.notNull(accountTable.name),
    title: sql.notNull(communityTable.title),
    role: sql.notNull(sql.int4),
    ownTitle: sql.notNull(communityRoleTable.title),
  },
});
