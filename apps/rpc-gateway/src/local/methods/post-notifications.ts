import { idsBelow, sourceOfLastId } from '../../notifications/notification-id';
import { itemsJson } from '../../notifications/notification-items';
import { postNotifications as statement } from '../../notifications/notifications.statements';
import { getPostId } from '../../posts/known-posts';
import { JsonText } from '../../rpc/json-text';
import { method } from '../declaration/declaration';
import { account, lastId, limit, minScore } from '../declaration/parameters';
import { permlink } from '../declaration/post-parameters';
import { exampleItems, notificationItems } from '../declaration/results';

export const postNotifications = method({
  name: 'bridge.post_notifications',
  summary: 'The notifications about a post, newest first',
  required: 2,
  parameters: { author: account('account name'), permlink, min_score: minScore, last_id: lastId, limit: limit(100) },
  result: notificationItems,
  example: { params: { author: 'alice', permlink: 'the-first-swarm' }, result: exampleItems },
  needs: ['live-head', 'notifications', 'posts'],
  cursorSource: ({ last_id: last }) => sourceOfLastId(last),
  handle: async (
    { author, permlink: link, min_score: score, last_id: last, limit: maxRows },
    { database, accounts },
  ) => {
    const postId = await getPostId(database, { id: await accounts.getId(author), name: author }, link);
    const rows = await statement.query(database, { postId, minScore: score, before: idsBelow(last), limit: maxRows });
    return new JsonText(itemsJson(rows));
  },
});
