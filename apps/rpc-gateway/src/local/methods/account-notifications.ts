import { accountNotifications as statement } from '../../notifications/notifications.statements';
import { idsBelow, sourceOfLastId } from '../../notifications/notification-id';
import { itemsJson } from '../../notifications/notification-items';
import { JsonText } from '../../rpc/json-text';
import { method } from '../declaration/declaration';
import { account, lastId, limit, minScore } from '../declaration/parameters';
import { exampleItems, notificationItems } from '../declaration/results';

export const accountNotifications = method({
  name: 'bridge.account_notifications',
  summary: 'The notifications of an account, newest first',
  required: 1,
  parameters: { account: account('account'), min_score: minScore, last_id: lastId, limit: limit(100) },
  result: notificationItems,
  example: { params: { account: 'alice', limit: 10 }, result: exampleItems },
  needs: ['live-head', 'notifications'],
  cursorSource: ({ last_id: last }) => sourceOfLastId(last),
  handle: async ({ account: name, min_score: score, last_id: last, limit: maxRows }, { database, accounts }) => {
    const rows = await statement.query(database, {
      account: name,
      minScore: score,
      before: idsBelow(last),
      limit: maxRows,
    });
    // No row, not even one of nulls: the account is not indexed.
    if (rows.length === 0) await accounts.requireOnChain(name);
    return new JsonText(itemsJson(rows));
  },
});
