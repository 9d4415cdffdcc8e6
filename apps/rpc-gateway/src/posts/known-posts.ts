import { assertionFailed } from '@waggle/contracts';
import { type Queryable, sql, Statement } from '@waggle/service';
import { postTable } from './post.entity';

const postByLink = new Statement({
  name: 'post-by-link',
  text: 'SELECT id FROM post WHERE author_id = $1 AND permlink = $2 AND NOT is_deleted',
  parameters: { authorId: postTable.authorId, permlink: postTable.permlink },
  columns: { id: postTable.id },
});

const deletionsByLink = new Statement({
  name: 'post-deletions-by-link',
  text: 'SELECT count(*)::int AS times FROM post WHERE author_id = $1 AND permlink = $2 AND is_deleted',
  parameters: { authorId: postTable.authorId, permlink: postTable.permlink },
  columns: { times: sql.notNull(sql.int4) },
});

/** @throws RpcError if the post does not exist, which says how often a post with its link was deleted */
export async function getPostId(
  database: Queryable,
  author: { readonly id: number; readonly name: string },
  permlink: string,
): Promise<string> {
  const post = await postByLink.find(database, { authorId: author.id, permlink });
  if (post !== undefined) return post.id;
  const deletions = await deletionsByLink.find(database, { authorId: author.id, permlink });
  const reason = deletions?.times ? `was deleted ${deletions.times} time(s)` : 'does not exist';
  throw assertionFailed(`Post ${author.name}/${permlink} ${reason}`, 'post');
}
