import { sql, Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { communityRoleTable } from '../communities/community-role.entity';
import { communityTable } from '../communities/community.entity';
import { followLists } from '../follows/follow-lists';
import { isMuted } from './page-sql';
import { payoutTable } from './payout.entity';
import { postContentTable } from './post-content.entity';
import { postTextTable } from './post-text.entity';
import { postTable } from './post.entity';

/**
 * `$1` ids. Rows: the posts that exist, in the order of the ids. Amounts are thousandths of HBD; the payout of the
 * author includes the shares of beneficiaries.
 */
export const postRows = new Statement({
  name: 'post-rows',
  text: `
    SELECT p.id, p.author_id AS "authorId", a.name AS author, coalesce(a.reputation, 0) AS reputation, p.permlink, p.depth,
      p.children, p.created, p.muted_reasons AS "mutedReasons", p.is_pinned AS "isPinned", c.title, c.json_metadata AS metadata,
      c.updated, c.revision, root.category, coalesce(root.title, '') AS "rootTitle", ra.name AS "rootAuthor",
      rp.permlink AS "rootPermlink", pa.name AS "parentAuthor", pp.permlink AS "parentPermlink", m.title AS "communityTitle",
      r.role, r.title AS "roleTitle", y.is_paid AS "isPaid", y.paid_at AS "paidAt", y.author_payout + y.beneficiary_payout AS "authorPayout",
      y.curator_payout AS "curatorPayout", y.pending_payout AS "pendingPayout", y.author_rewards AS "authorRewards", y.rshares,
      y.absolute_rshares AS "absoluteRshares", y.total_vote_weight AS "totalVoteWeight", y.total_votes AS "totalVotes",
      y.net_votes AS "netVotes", y.max_accepted_payout AS "maxAcceptedPayout", y.percent_hbd AS "percentHbd",
      y.allows_votes AS "allowsVotes", y.allows_curation_rewards AS "allowsCurationRewards", y.beneficiaries,
      (SELECT count(*) FROM blog_entry e WHERE e.post_id = p.id AND e.is_reblog) AS reblogs
    FROM unnest($1::bigint[]) WITH ORDINALITY AS page (id, position)
    JOIN post p ON p.id = page.id AND NOT p.is_deleted
    JOIN account a ON a.id = p.author_id
    JOIN post_content c ON c.post_id = p.id
    JOIN payout y ON y.post_id = p.id
    JOIN post rp ON rp.id = p.root_id
    JOIN account ra ON ra.id = rp.author_id
    LEFT JOIN post_content root ON root.post_id = p.root_id
    LEFT JOIN post pp ON pp.id = p.parent_id
    LEFT JOIN account pa ON pa.id = pp.author_id
    LEFT JOIN community m ON m.id = p.community_id
    LEFT JOIN community_role r ON r.community_id = p.community_id AND r.account_id = p.author_id
    ORDER BY page.position`,
  parameters: { ids: sql.arrayOf(postTable.id) },
  columns: {
    id: sql.notNull(postTable.id),
    authorId: sql.notNull(postTable.authorId),
    author: sql.notNull(accountTable.name),
    reputation: sql.notNull(accountTable.reputation),
    permlink: sql.notNull(postTable.permlink),
    depth: sql.notNull(postTable.depth),
    children: sql.notNull(postTable.children),
    created: sql.notNull(postTable.created),
    mutedReasons: sql.notNull(postTable.mutedReasons),
    isPinned: sql.notNull(postTable.isPinned),
    title: sql.notNull(postContentTable.title),
    metadata: sql.notNull(postContentTable.jsonMetadata),
    updated: sql.notNull(postContentTable.updated),
    revision: sql.notNull(postContentTable.revision),
    category: postContentTable.category,
    rootTitle: sql.notNull(postContentTable.title),
    rootAuthor: sql.notNull(accountTable.name),
    rootPermlink: sql.notNull(postTable.permlink),
    parentAuthor: sql.nullable(accountTable.name),
    parentPermlink: sql.nullable(postTable.permlink),
    communityTitle: sql.nullable(communityTable.title),
    role: sql.nullable(communityRoleTable.role),
    roleTitle: sql.nullable(communityRoleTable.title),
    isPaid: sql.notNull(payoutTable.isPaid),
    paidAt: payoutTable.paidAt,
    authorPayout: sql.notNull(payoutTable.authorPayout),
    curatorPayout: sql.notNull(payoutTable.curatorPayout),
    pendingPayout: sql.notNull(payoutTable.pendingPayout),
    authorRewards: sql.notNull(payoutTable.authorRewards),
    rshares: sql.notNull(payoutTable.rshares),
    absoluteRshares: sql.notNull(payoutTable.absoluteRshares),
    totalVoteWeight: sql.notNull(payoutTable.totalVoteWeight),
    totalVotes: sql.notNull(payoutTable.totalVotes),
    netVotes: sql.notNull(payoutTable.netVotes),
    maxAcceptedPayout: sql.notNull(payoutTable.maxAcceptedPayout),
    percentHbd: sql.notNull(payoutTable.percentHbd),
    allowsVotes: sql.notNull(payoutTable.allowsVotes),
    allowsCurationRewards: sql.notNull(payoutTable.allowsCurationRewards),
    beneficiaries: payoutTable.beneficiaries,
    reblogs: sql.notNull(sql.int8),
  },
});

/** `$1` ids. Rows: the bodies that the index has. */
export const postBodies = new Statement({
  name: 'post-bodies',
  text: 'SELECT post_id AS id, body FROM post_text WHERE post_id = ANY ($1::bigint[]) AND is_current',
  parameters: { ids: sql.arrayOf(postTextTable.postId) },
  columns: { id: postTextTable.postId, body: postTextTable.body },
});

/**
 * `$1` observer; `$2` authors. Rows: whether the observer has muted each, also by the mute lists that it follows, and
 * the blacklists that it is on.
 */
export const observedAuthors = new Statement({
  name: 'observed-authors',
  text: `
    SELECT a.id, ${isMuted('$1', 'a.id')} AS "isMuted", ARRAY(
      SELECT 'my blacklist' FROM follow f
      WHERE f.follower_id = $1 AND f.following_id = a.id AND f.lists & ${followLists.blacklists} > 0
    ) || ARRAY(
      SELECT 'blacklisted by ' || b.name
      FROM follow l JOIN follow f ON f.follower_id = l.following_id AND f.following_id = a.id JOIN account b ON b.id = l.following_id
      WHERE l.follower_id = $1 AND l.lists & ${followLists.followsBlacklists} > 0 AND f.lists & ${followLists.blacklists} > 0
      ORDER BY b.name
    ) AS blacklists
    FROM unnest($2::int[]) AS a (id)`,
  parameters: { observerId: accountTable.id, accountIds: sql.arrayOf(accountTable.id) },
  columns: {
    id: sql.notNull(accountTable.id),
    isMuted: sql.notNull(sql.bool),
    blacklists: sql.notNull(sql.arrayOf(sql.text)),
  },
});
