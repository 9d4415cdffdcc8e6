import { sql, Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { hasReason, isMuted } from './page-sql';
import { postTable } from './post.entity';

/** SQL: whether the observer `$2` has muted the author, and whether the post is muted for one of the reasons `$3`. */
const flags = `($2::int IS NOT NULL AND ${isMuted('$2', 'p.author_id')}) AS "isMuted",
  ($3::int IS NOT NULL AND ${hasReason('$3')}) AS "isExcluded"`;

const columns = {
  id: postTable.id,
  isMuted: sql.notNull(sql.bool),
  isExcluded: sql.notNull(sql.bool),
};

/**
 * `$1` id of a post; `$2` observer; `$3` bit set of reasons. One row: how many comments are below the post, whether the
 * observer has muted the author, and whether the post is muted for one of the reasons.
 */
export const discussionStart = new Statement({
  name: 'discussion-start',
  text: `
    SELECT p.id, p.root_id AS "rootId", p.children, ${flags}
    FROM post p JOIN account a ON a.id = p.author_id WHERE p.id = $1`,
  parameters: {
    id: postTable.id,
    observerId: sql.nullable(accountTable.id),
    reasons: sql.nullable(sql.int4),
  },
  columns: { ...columns, rootId: postTable.rootId, children: postTable.children },
});

/**
 * `$1` id of the post of a discussion; `$2` observer; `$3` bit set of reasons; `$4` last id of the part before; `$5`
 * limit. Rows: its comments, oldest first, with the same flags.
 */
export const discussionPart = new Statement({
  name: 'discussion-part',
  text: `
    SELECT p.id, p.parent_id AS "parentId", a.name AS author, p.permlink, ${flags}
    FROM post p JOIN account a ON a.id = p.author_id
    WHERE p.root_id = $1 AND p.depth > 0 AND NOT p.is_deleted AND p.id > $4 ORDER BY p.id LIMIT $5`,
  parameters: {
    rootId: postTable.rootId,
    observerId: sql.nullable(accountTable.id),
    reasons: sql.nullable(sql.int4),
    after: postTable.id,
    limit: sql.int8,
  },
  columns: {
    ...columns,
    parentId: sql.notNull(postTable.parentId),
    author: accountTable.name,
    permlink: postTable.permlink,
  },
});

/** `$1` id of a post; `$2` limit. Rows: the ids of its replies, oldest first. */
export const repliesTo = new Statement({
  name: 'replies-to-post',
  text: 'SELECT id FROM post WHERE parent_id = $1 AND depth > 0 AND NOT is_deleted ORDER BY id LIMIT $2',
  parameters: { parentId: sql.notNull(postTable.parentId), limit: sql.int8 },
  columns: { id: postTable.id },
});
