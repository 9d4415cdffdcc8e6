import { assertionFailed, type RpcError } from '@waggle/contracts';
import { type Queryable, type RowIn, sql, Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { accountIds } from '../accounts/accounts.statements';
import { unindexedAccountId } from '../accounts/known-accounts';
import { postContentTable } from './post-content.entity';
import { postTable } from './post.entity';

const postByLink = new Statement({
  name: 'post-by-link',
  text: 'SELECT id FROM post WHERE author_id = $1 AND permlink = $2 AND NOT is_deleted',
  parameters: { authorId: postTable.authorId, permlink: postTable.permlink },
  columns: { id: postTable.id },
});

const postByName = new Statement({
  name: 'post-by-name',
  text: `
    SELECT p.id, p.parent_author_id AS "parentAuthorId", p.depth, c.category
    FROM account a JOIN post p ON p.author_id = a.id LEFT JOIN post_content c ON c.post_id = p.root_id
    WHERE a.name = $1 AND p.permlink = $2 AND NOT p.is_deleted`,
  parameters: { author: accountTable.name, permlink: postTable.permlink },
  columns: {
    id: sql.notNull(postTable.id),
    parentAuthorId: postTable.parentAuthorId,
    depth: sql.notNull(postTable.depth),
    category: postContentTable.category,
  },
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
  throw await missingPost(database, author, permlink);
}

/** The error for a post that does not exist, or was deleted. */
async function missingPost(
  database: Queryable,
  author: { readonly id: number; readonly name: string },
  permlink: string,
): Promise<RpcError> {
  const deletions = await deletionsByLink.find(database, { authorId: author.id, permlink });
  const reason = deletions?.times ? `was deleted ${deletions.times} time(s)` : 'does not exist';
  return assertionFailed(`Post ${author.name}/${permlink} ${reason}`, 'post');
}

/**
 * Finds a post by the name of its author, who need not exist: the error is then the same as for a post that does not.
 *
 * @throws RpcError as `getPostId`
 */
export async function getPost(
  database: Queryable,
  author: string,
  permlink: string,
): Promise<RowIn<typeof postByName>> {
  const post = await postByName.find(database, { author, permlink });
  if (post !== undefined) return post;
  const id = (await accountIds.find(database, { names: [author] }))?.id ?? unindexedAccountId;
  throw await missingPost(database, { id, name: author }, permlink);
}

/**
 * Returns the id of the post where a page begins; null without an author and a permlink. @throws RpcError as `getPost`
 */
export async function findCursor(database: Queryable, author: string, permlink: string): Promise<string | null> {
  return author === '' && permlink === '' ? null : (await getPost(database, author, permlink)).id;
}
