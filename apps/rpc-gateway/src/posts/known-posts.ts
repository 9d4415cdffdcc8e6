import { assertionFailed } from '@waggle/contracts';
import { type Queryable, sql, Statement } from '@waggle/service';

const postByLink = new Statement({
  name: 'post-by-link',
  text: 'SELECT id FROM post WHERE author_id = $1 AND permlink = $2 AND NOT is_deleted',
  parameters: { authorId: sql.int4, permlink: sql.text },
  columns: { id: sql.int8 },
});

/** @throws RpcError if the post does not exist */
export async function getPostId(
  database: Queryable,
  author: { readonly id: number; readonly name: string },
  permlink: string,
): Promise<string> {
  const post = await postByLink.find(database, { authorId: author.id, permlink });
  if (post === undefined) throw assertionFailed(`Post ${author.name}/${permlink} does not exist`, 'post');
  return post.id;
}
