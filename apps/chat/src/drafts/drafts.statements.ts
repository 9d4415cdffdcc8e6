import { maxDrafts } from '@waggle/contracts';
import { sql, Statement } from '@waggle/service';
import { jsonBytesInPage, messageBytes, pageColumns, selectPage } from '../lists/page';
import { memberTable } from '../log/member.entity';
import { draftTable } from './draft.entity';

const ofConversation = { account: draftTable.account, conversationId: draftTable.conversationId };

/** Serializes changes of a draft with each other and with leaving, without a lock on the conversation. */
export const lockMember = new Statement({
  name: 'lock-member',
  text: `SELECT FROM member WHERE account = $1 AND conversation_id = $2 AND status = 'member' FOR NO KEY UPDATE`,
  parameters: { account: memberTable.account, conversationId: memberTable.conversationId },
  columns: {},
});

/** Stores a draft, unless the account has too many others. */
export const storeDraft = new Statement({
  name: 'store-draft',
  text: `
    INSERT INTO draft (account, conversation_id, text, reply_to_seq, updated_at)
    SELECT $1, $2, $3, $4, clock_timestamp()
    WHERE (SELECT count(*) FROM draft WHERE account = $1 AND conversation_id <> $2) < ${maxDrafts}
    ON CONFLICT (account, conversation_id) DO UPDATE
      SET text = excluded.text, reply_to_seq = excluded.reply_to_seq, updated_at = excluded.updated_at
    RETURNING updated_at`,
  parameters: { ...ofConversation, text: draftTable.text, replyToSeq: draftTable.replyToSeq },
  columns: { updated_at: draftTable.updatedAt },
});

/** Deletes a draft, if there is one. @returns the time of the deletion */
export const deleteDraft = new Statement({
  name: 'delete-draft',
  text: `
    WITH deleted AS (DELETE FROM draft WHERE account = $1 AND conversation_id = $2)
    SELECT clock_timestamp()::timestamptz(3) AS updated_at`,
  parameters: ofConversation,
  columns: { updated_at: sql.notNull(draftTable.updatedAt) },
});

/** Returns a page of the drafts of an account, ordered by conversation, as long as it is a member. */
export const draftsOfAccount = new Statement({
  name: 'drafts-of-account',
  // An instance of an older version deletes no drafts when an account leaves.
  text: `${selectPage(
    `SELECT conversation_id, text, reply_to_seq, updated_at,
            ${messageBytes} + ${jsonBytesInPage('text', 'conversation_id')} AS bytes
     FROM draft
     WHERE account = $1 AND conversation_id > $2
       AND (SELECT status FROM member WHERE conversation_id = draft.conversation_id AND account = $1) = 'member'
     ORDER BY conversation_id LIMIT ${maxDrafts + 1}`,
    maxDrafts + 1,
    'conversation_id',
  )}
    ORDER BY nth`,
  parameters: { account: draftTable.account, after: draftTable.conversationId },
  columns: {
    ...pageColumns,
    conversation_id: draftTable.conversationId,
    text: draftTable.text,
    reply_to_seq: draftTable.replyToSeq,
    updated_at: draftTable.updatedAt,
    bytes: sql.notNull(sql.int4),
  },
});
