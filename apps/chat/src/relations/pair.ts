import { Statement } from '@waggle/service';
import { conversationTable } from '../log/conversation.entity';
import { friendshipTable } from './friendship.entity';

/**
 * Orders two accounts as friendships and direct messages store them. This equals `COLLATE "C"`, since names are ASCII.
 */
export function orderedPair(account: string, other: string): [string, string] {
  return account < other ? [account, other] : [other, account];
}

/** The names of a pair in the order of `orderedPair`. */
export const pairParameters = { first: friendshipTable.first, second: friendshipTable.second };

export const dmOfPair = new Statement({
  name: 'dm-of-pair',
  text: `SELECT id FROM conversation WHERE type = 'dm' AND dm_first = $1 AND dm_second = $2`,
  parameters: pairParameters,
  columns: { id: conversationTable.id },
});
