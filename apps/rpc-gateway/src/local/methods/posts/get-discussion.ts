import { z } from 'zod';
import { bridgePost } from '../../../posts/bridge-post';
import { bridgePostSchema, exampleBridgePost } from '../../../posts/bridge-post.schema';
import { readDiscussion } from '../../../posts/discussion';
import { getPost } from '../../../posts/known-posts';
import { postsJson } from '../../../posts/read-posts';
import { method } from '../../declaration/declaration';
import { account, optionalAccount } from '../../declaration/parameters';
import { mutedReasonsFilter, permlink } from '../../declaration/post-parameters';
import { postNeeds } from './post-methods';

export const getDiscussion = method({
  name: 'bridge.get_discussion',
  summary:
    'A post or comment with all replies, and replies to these, by `author/permlink`: the 2,000 oldest. Without threads that begin with a comment by an account that the observer has muted',
  required: 2,
  parameters: {
    author: account('author'),
    permlink,
    observer: optionalAccount('observer'),
    muted_reasons_filter: mutedReasonsFilter,
  },
  result: z.record(z.string(), bridgePostSchema),
  example: {
    params: { author: 'alice', permlink: 'the-first-swarm' },
    result: { 'alice/the-first-swarm': { ...exampleBridgePost, replies: ['bob/re-the-first-swarm'] } },
  },
  needs: postNeeds,
  handle: async ({ author, permlink: link, observer, muted_reasons_filter: reasons }, sources) => {
    const { id } = await getPost(sources.database, author, link);
    const observerId = (await sources.accounts.findId(observer)) ?? null;
    const replies = await readDiscussion(sources.database, { id, observerId, reasons });
    return postsJson(sources, [...replies.keys()], { observerId }, (posts) => {
      const byLink = posts.map((post) => [
        `${post.author}/${post.permlink}`,
        bridgePost(post, { showsPin: true, replies: replies.get(post.id) ?? [] }),
      ]);
      return Object.fromEntries(byLink);
    });
  },
});
