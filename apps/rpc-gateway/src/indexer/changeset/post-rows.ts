import { type EntityClass, sql, Statement, tableName } from '@waggle/service';
import { PayoutEntity } from '../../posts/payout.entity';
import { PostContentEntity } from '../../posts/post-content.entity';
import { PostTagEntity } from '../../posts/post-tag.entity';
import { PostTextEntity } from '../../posts/post-text.entity';
import { PostEntity } from '../../posts/post.entity';
import { RankedPostEntity } from '../../posts/ranked-post.entity';
import { BlogEntryEntity } from '../../reblogs/blog-entry.entity';
import { VoteEntity } from '../../votes/vote.entity';
import { Table } from './table';

/** Each reads and writes the rows of one table that describes posts. */
export const postTable = new Table(PostEntity);
export const contentTable = new Table(PostContentEntity);
export const tagTable = new Table(PostTagEntity);
export const textTable = new Table(PostTextEntity);
export const payoutTable = new Table(PayoutEntity);
export const voteTable = new Table(VoteEntity);
export const blogTable = new Table(BlogEntryEntity);
const postIds = sql.arrayOf(postTable.types.id);

/** `$1` authors; `$2` permlinks, pairwise. Rows: the posts with these links that are not deleted. */
export const findLinked = postTable.select(
  'linked',
  `JOIN unnest($1::int[], $2::text[]) l (author_id, permlink) ON l.author_id = t.author_id AND l.permlink = t.permlink
   WHERE NOT t.is_deleted`,
  { authorIds: sql.arrayOf(postTable.types.authorId), permlinks: sql.arrayOf(postTable.types.permlink) },
);

/**
 * `$1` ids. Rows: the posts, and all that they reply to. OFFSET 0 and the array make PostgreSQL look up each post by
 * its key.
 */
export const findThreads = postTable.select(
  'threads',
  `WHERE t.id = ANY (ARRAY(
     WITH RECURSIVE thread (id) AS (
       SELECT unnest($1::bigint[])
       UNION
       SELECT p.parent_id FROM thread
       CROSS JOIN LATERAL (SELECT parent_id FROM post WHERE post.id = thread.id OFFSET 0) p
       WHERE p.parent_id IS NOT NULL
     )
     SELECT id FROM thread
   ))`,
  { ids: postIds },
);

/** `$1` posts. Rows: their tags. */
export const findTags = tagTable.select('of-posts', 'WHERE t.post_id = ANY ($1::bigint[])', { postIds });

/** `$1` posts. Deletes all votes on them. */
export const deleteVotes = new Statement({
  name: 'vote-close',
  text: 'DELETE FROM vote WHERE post_id = ANY ($1::bigint[])',
  parameters: { postIds },
  columns: {},
});

/** Tables of posts, except flags and notifications, which stay if a post is deleted. */
const postEntities: readonly EntityClass<{ postId: bigint }>[] = [
  PostContentEntity,
  PostTagEntity,
  PostTextEntity,
  PayoutEntity,
  RankedPostEntity,
  VoteEntity,
  BlogEntryEntity,
];
/** `$1` posts. One statement for each table of `postEntities`. */
export const deletions = postEntities.map(
  (entity) =>
    new Statement({
      name: `${tableName(entity)}-of-deleted`,
      text: `DELETE FROM ${tableName(entity)} WHERE post_id = ANY ($1::bigint[])`,
      parameters: { postIds },
      columns: {},
    }),
);
