import { sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { ChatError } from '../errors';
import { blockTable } from '../relations/block.entity';

/** Returns one of the accounts that `adder` may not add, if there is one: first those that block `adder`. */
const rejectedAdditions = new Statement({
  name: 'rejected-additions',
  // Subqueries, since for a join the planner may read a whole table.
  text: `
    SELECT account, has_blocked
    FROM (
      SELECT account,
             (SELECT true FROM block WHERE blocker = account AND blocked = $1) IS NOT NULL AS has_blocked,
             (SELECT dm_from_friends FROM setting WHERE setting.account = a.account)
               AND (SELECT true FROM friendship
                    WHERE first = least(a.account COLLATE "C", $1) AND second = greatest(a.account COLLATE "C", $1)) IS NULL
               AS accepts_friends_only
      FROM unnest($2::text[]) AS a (account)
      WHERE account <> $1
    ) additions
    WHERE has_blocked OR accepts_friends_only
    ORDER BY has_blocked DESC, account LIMIT 1`,
  parameters: { adder: blockTable.blocked, added: sql.arrayOf(blockTable.blocker) },
  columns: { account: sql.notNull(blockTable.blocker), has_blocked: sql.notNull(sql.bool) },
});

/**
 * Checks whether the blocks and settings of accounts allow another account to add them to a conversation.
 * @throws ChatError naming one of them: `blocked` if it blocks the account; `friends-only` if it accepts only friends
 */
export async function authorizeAdditions(client: ClientBase, adder: string, added: readonly string[]): Promise<void> {
  const rejected = await rejectedAdditions.find(client, { adder, added });
  if (rejected === undefined) return;
  if (rejected.has_blocked) throw new ChatError('blocked', `${rejected.account} has blocked you`);
  throw new ChatError('friends-only', `${rejected.account} is added to conversations by friends only`);
}
