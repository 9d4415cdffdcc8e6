import { sql, Statement } from '@waggle/service';
import { type ClientBase } from 'pg';
import { ChatError } from '../errors';

const refusedAdditions = new Statement({
  name: 'refused-additions',
  // Each looked up by itself: for a join the planner may read a table whole.
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
    ) judged
    WHERE has_blocked OR accepts_friends_only
    ORDER BY has_blocked DESC, account LIMIT 1`,
  parameters: { adder: sql.text, added: sql.arrayOf(sql.text) },
  columns: { account: sql.notNull(sql.text), has_blocked: sql.notNull(sql.bool) },
});

/**
 * Checks whether an account may add others to a group or channel, as far as their blocks and settings say.
 * @throws ServiceError naming one of them: `blocked` if it blocks the account; `friends-only` if it accepts only friends, and
 *   the account is none
 */
export async function authorizeAdditions(client: ClientBase, adder: string, added: readonly string[]): Promise<void> {
  const refused = await refusedAdditions.find(client, { adder, added });
  if (refused === undefined) return;
  if (refused.has_blocked) throw new ChatError('blocked', `${refused.account} has blocked you`);
  throw new ChatError('friends-only', `${refused.account} is added to conversations by friends only`);
}
