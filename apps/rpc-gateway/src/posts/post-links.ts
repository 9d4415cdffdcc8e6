import { type RowIn } from '@waggle/service';
import { type postRows } from './posts.statements';

type Links = Pick<
  RowIn<typeof postRows>,
  'author' | 'permlink' | 'depth' | 'category' | 'rootAuthor' | 'rootPermlink' | 'parentPermlink'
>;

/** The path of a post on a website; of a comment, its post's path with a fragment. */
export function urlOf({ author, permlink, depth, category, rootAuthor, rootPermlink }: Links): string {
  const fragment = depth > 0 ? `#@${author}/${permlink}` : '';
  return `/${category ?? ''}/@${rootAuthor}/${rootPermlink}${fragment}`;
}

/** The permlink of the parent; for a post, its category. */
export function parentPermlinkOf({ depth, category, parentPermlink }: Links): string {
  return depth > 0 ? (parentPermlink ?? '') : (category ?? '');
}

/** `value` if it is JSON, otherwise the default. */
export function parsedOr(value: string | null, otherwise: string): string {
  try {
    JSON.parse(value ?? '');
    return value ?? otherwise;
  } catch {
    return otherwise;
  }
}
