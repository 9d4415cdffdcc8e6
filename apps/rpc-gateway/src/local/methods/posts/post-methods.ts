import { type Needs } from '../../../index-state/needs';
import { bridgePost, type BridgePostOptions } from '../../../posts/bridge-post';
import { condenserPost, type CondenserPostOptions } from '../../../posts/condenser-post';
import { postsJson } from '../../../posts/read-posts';
import { type JsonText } from '../../../rpc/json-text';
import { type Sources } from '../../declaration/sources';

/** What the index needs for posts with everything that they show. */
export const postNeeds: Needs = [
  'live-head',
  'posts',
  'post-contents',
  'votes',
  'communities',
  'follows',
  'reputations',
];

export function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** Reads posts in the format of `bridge`. @param options for all posts, or by id and author */
export async function bridgePosts(
  sources: Sources,
  ids: readonly string[],
  observerId: number | null,
  options: BridgePostOptions | ((post: { id: string; author: string }) => BridgePostOptions) = {},
): Promise<JsonText> {
  const optionsOf = typeof options === 'function' ? options : () => options;
  return postsJson(sources, ids, { observerId }, (posts) => posts.map((post) => bridgePost(post, optionsOf(post))));
}

/** Reads posts in the format of the lists of `condenser_api`. */
export async function condenserPosts(
  sources: Sources,
  ids: readonly string[],
  observerId: number | null,
  options: CondenserPostOptions | ((post: { id: string; author: string }) => CondenserPostOptions) = {},
): Promise<JsonText> {
  const optionsOf = typeof options === 'function' ? options : () => options;
  return postsJson(sources, ids, { observerId }, (posts) => posts.map((post) => condenserPost(post, optionsOf(post))));
}
