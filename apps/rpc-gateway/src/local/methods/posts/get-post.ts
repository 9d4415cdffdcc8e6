import { z } from 'zod';
import { bridgePost } from '../../../posts/bridge-post';
import { bridgePostSchema, exampleBridgePost } from '../../../posts/bridge-post.schema';
import { getPost as findPost } from '../../../posts/known-posts';
import { postJson } from '../../../posts/read-posts';
import { method } from '../../declaration/declaration';
import { account, optionalAccount } from '../../declaration/parameters';
import { permlink, postObject } from '../../declaration/post-parameters';
import { postNeeds } from './post-methods';

const example = { author: 'alice', permlink: 'the-first-swarm' };

export const getPost = method({
  name: 'bridge.get_post',
  summary: 'A post or comment with its votes and its payout',
  required: 2,
  parameters: { author: account('author'), permlink, observer: optionalAccount('observer') },
  result: bridgePostSchema,
  example: { params: example, result: exampleBridgePost },
  needs: postNeeds,
  handle: async ({ author, permlink: link, observer }, sources) => {
    const observerId = (await sources.accounts.findId(observer)) ?? null;
    return postJson(sources, { author, permlink: link }, observerId, (post) => bridgePost(post));
  },
});

/** As in Hivemind, the result is the stored post, whatever the members of the given one are. */
export const normalizePost = method({
  name: 'bridge.normalize_post',
  summary: 'The post that the author and permlink of an object name, as `bridge.get_post` returns it',
  required: 1,
  parameters: { post: postObject },
  result: bridgePostSchema,
  example: { params: { post: example }, result: exampleBridgePost },
  needs: postNeeds,
  handle: ({ post: link }, sources) => postJson(sources, link, null, (post) => bridgePost(post)),
});

export const getPostHeader = method({
  name: 'bridge.get_post_header',
  summary: 'The category and depth of a post or comment',
  required: 2,
  parameters: { author: account('author'), permlink },
  result: z.strictObject({
    author: z.string(),
    permlink: z.string(),
    category: z.string(),
    depth: z.int().min(0),
  }),
  example: { params: example, result: { ...example, category: 'bees', depth: 0 } },
  needs: ['live-head', 'posts', 'post-contents'],
  handle: async ({ author, permlink: link }, { database }) => {
    const { category, depth } = await findPost(database, author, link);
    return { author, permlink: link, category: category ?? '', depth };
  },
});
