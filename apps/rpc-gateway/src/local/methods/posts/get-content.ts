import { z } from 'zod';
import { condenserContent, condenserPost } from '../../../posts/condenser-post';
import {
  condenserContentSchema,
  condenserPostSchema,
  exampleCondenserContent,
  exampleCondenserPost,
} from '../../../posts/condenser-post.schema';
import { repliesTo } from '../../../posts/discussion.statements';
import { getPost } from '../../../posts/known-posts';
import { type Post, postJson, postsJson } from '../../../posts/read-posts';
import { type Declaration, method } from '../../declaration/declaration';
import { account, optionalAccount } from '../../declaration/parameters';
import { permlink } from '../../declaration/post-parameters';
import { idsOf, postNeeds } from './post-methods';

const params = { author: 'alice', permlink: 'the-first-swarm' };
/** Maximum number of replies, like Hivemind's. */
const maxReplies = 5_000;

interface Format {
  readonly format: (post: Post) => object;
  readonly schema: z.ZodType;
  readonly example: unknown;
}

const content: Format = { format: condenserContent, schema: condenserContentSchema, example: exampleCondenserContent };
const listed: Format = {
  format: (post) => condenserPost(post),
  schema: condenserPostSchema,
  example: exampleCondenserPost,
};

function onePost(name: string, { format, schema, example }: Format): Declaration {
  return method({
    name,
    summary: 'A post or comment with its votes and its payout',
    required: 2,
    parameters: { author: account('author'), permlink, observer: optionalAccount('observer') },
    result: schema,
    example: { params, result: example },
    needs: postNeeds,
    handle: async ({ author, permlink: link, observer }, sources) => {
      const observerId = await sources.accounts.findIndexedId(observer);
      return postJson(sources, { author, permlink: link }, observerId, format);
    },
  });
}

function replies(name: string, { format, schema, example }: Format): Declaration {
  return method({
    name,
    summary: 'The replies to a post or comment, oldest first: the first 5,000',
    required: 2,
    parameters: { author: account('author'), permlink, observer: optionalAccount('observer') },
    result: z.array(schema),
    example: { params, result: [example] },
    needs: postNeeds,
    handle: async ({ author, permlink: link, observer }, sources) => {
      const { id } = await getPost(sources.database, author, link);
      const ids = idsOf(await repliesTo.query(sources.database, { parentId: id, limit: maxReplies }));
      const observerId = await sources.accounts.findIndexedId(observer);
      return postsJson(sources, ids, { observerId }, (posts) => posts.map(format));
    },
  });
}

export const getContent = [
  onePost('condenser_api.get_content', content),
  replies('condenser_api.get_content_replies', content),
  onePost('tags_api.get_discussion', listed),
  replies('tags_api.get_content_replies', listed),
];
