import { assertionFailed } from '@waggle/contracts';
import { type Queryable } from '@waggle/service';
import { postByLink } from './posts.statements';

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
