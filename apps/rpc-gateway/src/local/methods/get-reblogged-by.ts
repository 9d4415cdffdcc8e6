import { z } from 'zod';
import { unindexedAccountId } from '../../accounts/known-accounts';
import { getPostId } from '../../posts/known-posts';
import { rebloggers } from '../../reblogs/reblogs.statements';
import { methods } from '../declaration/declaration';
import { optionalAccount } from '../declaration/parameters';
import { permlink } from '../declaration/post-parameters';

export const getRebloggedBy = methods({
  names: ['condenser_api.get_reblogged_by', 'follow_api.get_reblogged_by'],
  summary: 'The accounts that have reblogged a post, by name',
  required: 2,
  parameters: { author: optionalAccount('author'), permlink },
  checkedFirst: 'permlink',
  result: z.array(z.string()),
  example: { params: { author: 'alice', permlink: 'the-first-swarm' }, result: ['bob'] },
  needs: ['live-head', 'posts'],
  handle: async ({ author, permlink: link }, { database, accounts }) => {
    const id = (await accounts.findId(author)) ?? unindexedAccountId;
    const postId = await getPostId(database, { id, name: author }, link);
    const rows = await rebloggers.query(database, { postId, authorId: id });
    return rows.map(({ name }) => name);
  },
});
