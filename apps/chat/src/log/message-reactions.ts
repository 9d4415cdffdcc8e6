import { type Reaction } from '@waggle/contracts';
import { type Queryable, sql, Statement } from '@waggle/service';
import { groupBy } from '../portions';
import { reactionTable } from './reaction.entity';

/** Returns a row for each message and emoji. */
const reactionsOfMessages = new Statement({
  name: 'reactions-of-messages',
  text: `
    SELECT seq, emoji, count(*)::int AS count, bool_or(account = $4) AS own
    FROM reaction WHERE conversation_id = $1 AND seq BETWEEN $2 AND $3
    GROUP BY seq, emoji
    ORDER BY seq, min(at), emoji`,
  parameters: {
    conversationId: reactionTable.conversationId,
    from: reactionTable.seq,
    to: reactionTable.seq,
    account: reactionTable.account,
  },
  columns: {
    seq: reactionTable.seq,
    emoji: reactionTable.emoji,
    count: sql.notNull(sql.int4),
    own: sql.notNull(sql.bool),
  },
});

/**
 * Returns the reactions to messages of one conversation, as an account sees them: the emoji in the order of their first
 * reaction. They are counted, not kept as numbers, so that they cannot drift.
 *
 * @returns by sequence number; it lacks messages without reactions
 */
export async function findReactions(
  client: Queryable,
  messages: { conversationId: string; from: number; to: number },
  account: string,
): Promise<Map<number, Reaction[]>> {
  const rows = await reactionsOfMessages.query(client, { ...messages, account });
  const bySeq = groupBy(rows, ({ seq }) => Number(seq));
  return new Map(
    Array.from(bySeq, ([seq, found]) => [seq, found.map(({ emoji, count, own }) => ({ emoji, count, own }))]),
  );
}
