import { sql, Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { postContentTable } from './post-content.entity';
import { postTable } from './post.entity';
import { rankedPostTable } from './ranked-post.entity';

/** SQL: whether the post `p` is in lists of `database_api`. */
const isListed = 'NOT p.is_deleted AND p.muted_reasons = 0';
const columns = { id: postTable.id };
/** The columns of a union, which PostgreSQL does not know to be not null. */
const unitedColumns = { id: sql.notNull(postTable.id) };

/** `$1` authors; `$2` permlinks. Rows: ids of the posts that exist, in that order. */
export const commentsByLink = new Statement({
  name: 'comments-by-link',
  text: `
    SELECT p.id
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS link (author, permlink, position)
    JOIN account a ON a.name = link.author
    JOIN post p ON p.author_id = a.id AND p.permlink = link.permlink AND ${isListed}
    ORDER BY link.position`,
  parameters: { authors: sql.arrayOf(accountTable.name), permlinks: sql.arrayOf(postTable.permlink) },
  columns,
});

/** `$1` author; `$2` permlink; `$3` limit. Rows: ids of posts by author and permlink, from that one on. */
export const commentsByPermlink = new Statement({
  name: 'comments-by-permlink',
  text: `
    SELECT p.id FROM account a JOIN post p ON p.author_id = a.id AND ${isListed}
    WHERE a.name >= $1 AND (a.name > $1 OR p.permlink >= $2) ORDER BY a.name, p.permlink LIMIT $3`,
  parameters: { author: accountTable.name, permlink: postTable.permlink, limit: sql.int8 },
  columns,
});

/** `$1` post of a discussion; `$2` first id; `$3` limit. Rows: ids of the post and its comments, oldest first. */
export const commentsByRoot = new Statement({
  name: 'comments-by-root',
  text: `
    SELECT p.id FROM (
      SELECT * FROM post WHERE id = $1
      UNION ALL SELECT * FROM post WHERE root_id = $1 AND depth > 0 AND NOT is_deleted
    ) p WHERE p.root_id = $1 AND ${isListed} AND p.id >= $2 ORDER BY p.id LIMIT $3`,
  parameters: { rootId: postTable.rootId, from: postTable.id, limit: sql.int8 },
  columns: unitedColumns,
});

/** `$1` parent; `$2` first id; `$3` limit. Rows: ids of the replies, oldest first. */
export const commentsByParent = new Statement({
  name: 'comments-by-parent',
  text: `
    SELECT p.id FROM post p WHERE p.parent_id = $1 AND p.depth > 0 AND ${isListed} AND p.id >= $2 ORDER BY p.id LIMIT $3`,
  parameters: { parentId: sql.notNull(postTable.parentId), from: postTable.id, limit: sql.int8 },
  columns,
});

const ofAccount = {
  /** Replies to the account. */
  replies: 'SELECT * FROM post WHERE parent_author_id = $1 AND depth > 0 AND NOT is_deleted',
  authored: `SELECT * FROM post WHERE author_id = $1 AND depth = 0 AND NOT is_deleted
    UNION ALL SELECT * FROM post WHERE author_id = $1 AND depth > 0 AND NOT is_deleted`,
} as const;

function forBoth<AStatement>(
  make: (kind: keyof typeof ofAccount) => AStatement,
): Record<keyof typeof ofAccount, AStatement> {
  return { replies: make('replies'), authored: make('authored') };
}

/**
 * `$1` account; `$2` time; `$3` first id of that time; `$4` limit. Rows: ids of posts, last edited first. All posts of
 * the account are sorted, since each may be edited at any time.
 */
export const commentsByLastUpdate = forBoth(
  (kind) =>
    new Statement({
      name: `comments-by-last-update-${kind}`,
      text: `
        SELECT p.id FROM (${ofAccount[kind]}) p JOIN post_content c ON c.post_id = p.id
        WHERE p.muted_reasons = 0 AND (c.updated < $2 OR c.updated = $2 AND p.id >= $3)
        ORDER BY c.updated DESC, p.id LIMIT $4`,
      parameters: {
        accountId: accountTable.id,
        updated: postContentTable.updated,
        from: postTable.id,
        limit: sql.int8,
      },
      columns: unitedColumns,
    }),
);

/**
 * `$1` time of creation; `$2` first id of that time; `$3` limit. Rows: ids of unpaid posts, oldest first, which is also
 * the order of their ids.
 */
export const unpaidByCreation = new Statement({
  name: 'comments-by-cashout-time',
  text: `
    SELECT p.id FROM ranked_post r JOIN post p ON p.id = r.post_id
    WHERE (r.created, r.post_id) >= ($1, $2) AND ${isListed} ORDER BY r.post_id LIMIT $3`,
  parameters: { created: rankedPostTable.created, from: rankedPostTable.postId, limit: sql.int8 },
  columns,
});

/** `$1` first id; `$2` limit. Rows: ids of paid posts, oldest first. */
export const paidComments = new Statement({
  name: 'comments-paid',
  text: `
    SELECT p.id FROM post p JOIN payout y ON y.post_id = p.id AND y.is_paid
    WHERE p.id >= $1 AND ${isListed} ORDER BY p.id LIMIT $2`,
  parameters: { from: postTable.id, limit: sql.int8 },
  columns,
});
