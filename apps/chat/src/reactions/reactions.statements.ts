import { sql, Statement } from '@waggle/service';
import { messageTable } from '../log/message.entity';
import { reactionTable } from '../log/reaction.entity';

const ofMessage = { conversationId: reactionTable.conversationId, seq: reactionTable.seq };
/** Several reactions, as one array for each column. */
const several = { emojis: sql.arrayOf(reactionTable.emoji), accounts: sql.arrayOf(reactionTable.account) };

/** Returns the sequence number of a message; no row if it is deleted. */
export const seqOfMessage = new Statement({
  name: 'seq-of-message',
  text: 'SELECT seq FROM message WHERE conversation_id = $1 AND id = $2 AND deleted_at IS NULL',
  parameters: { conversationId: messageTable.conversationId, id: messageTable.id },
  columns: { seq: messageTable.seq },
});

/** Returns the reactions of the given accounts to a message. */
export const reactionsOfAccounts = new Statement({
  name: 'reactions-of-accounts',
  text: 'SELECT emoji, account FROM reaction WHERE conversation_id = $1 AND seq = $2 AND account = ANY($3)',
  parameters: { ...ofMessage, accounts: several.accounts },
  columns: { emoji: reactionTable.emoji, account: reactionTable.account },
});

export const insertReactions = new Statement({
  name: 'insert-reactions',
  text: `
    INSERT INTO reaction (conversation_id, seq, emoji, account, at)
    SELECT $1, $2, emoji, account, clock_timestamp() FROM unnest($3::text[], $4::text[]) AS added (emoji, account)`,
  parameters: { ...ofMessage, ...several },
  columns: {},
});

export const deleteReactions = new Statement({
  name: 'delete-reactions',
  text: `
    DELETE FROM reaction USING unnest($3::text[], $4::text[]) AS removed (emoji, account)
    WHERE conversation_id = $1 AND seq = $2 AND reaction.emoji = removed.emoji AND reaction.account = removed.account`,
  parameters: { ...ofMessage, ...several },
  columns: {},
});
