import { Inject, Injectable } from '@nestjs/common';
import { type ClientPayload, type Mention, type ServerPayload } from '@waggle/contracts';
import { POOL, type Queryable, type RowOf, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { ChatError, notFound } from '../errors';
import { messageRevisionTable } from '../log/message-revision.entity';
import { findMentions, noMentions, replaceMentions } from '../log/mentions';
import { messageTable } from '../log/message.entity';
import { ConversationTransactions } from '../membership/conversation-transactions';
import { type FrameRequest } from '../realtime/frame-request';
import { withUrls } from './attachments';
import { authorizeMessage } from './authorize-messages';
import { conversationOfMessage } from '../log/conversation-of-message';
import { queueReindex } from '../search/search-edit.entity';
import { SEARCH_SETTINGS, type SearchSettings } from '../search/search-settings';
import { MESSAGES_SETTINGS, type MessagesSettings } from './messages-settings';

const editableColumns = {
  seq: messageTable.seq,
  sender: messageTable.sender,
  content: messageTable.content,
  attachments: messageTable.attachments,
  mentions: messageTable.mentions,
  replied_to_sender: sql.nullable(messageTable.sender),
  revision: sql.notNull(sql.int4),
  /** When the current text was written. */
  written_at: sql.notNull(messageTable.sentAt),
  is_past_window: sql.notNull(sql.bool),
};

/** Returns message `$2` of conversation `$1`, unless it is deleted, with what an edit of it depends on. */
const editableMessage = new Statement({
  name: 'editable-message',
  text: `
    SELECT seq, sender, content, attachments, mentions, coalesce(revision, 0) AS revision,
           coalesce(edited_at, sent_at) AS written_at,
           sent_at < now() - $3::bigint * interval '1 ms' AS is_past_window,
           (SELECT sender FROM message WHERE conversation_id = $1 AND seq = edited.reply_to_seq) AS replied_to_sender
    FROM message edited WHERE conversation_id = $1 AND id = $2 AND deleted_at IS NULL`,
  parameters: { conversationId: messageTable.conversationId, id: messageTable.id, windowMs: sql.int8 },
  columns: editableColumns,
});

/** Stores the text that an edit replaces. */
const keepRevision = new Statement({
  name: 'keep-revision',
  text: 'INSERT INTO message_revision (conversation_id, seq, revision, content, at) VALUES ($1, $2, $3, $4, $5)',
  parameters: {
    conversationId: messageRevisionTable.conversationId,
    seq: messageRevisionTable.seq,
    revision: messageRevisionTable.revision,
    content: messageRevisionTable.content,
    at: messageRevisionTable.at,
  },
  columns: {},
});

/** Replaces the text of a message. Returns its revision and time; no row if retention removed the message. */
const editMessage = new Statement({
  name: 'edit-message',
  text: `
    UPDATE message SET content = $3, mentions = $4, revision = coalesce(revision, 0) + 1,
      -- Later than the former text, also if the clock was set back.
      edited_at = greatest(clock_timestamp(), coalesce(edited_at, sent_at) + interval '1 ms')
    WHERE conversation_id = $1 AND seq = $2 RETURNING revision, edited_at`,
  parameters: {
    conversationId: messageTable.conversationId,
    seq: messageTable.seq,
    content: messageTable.content,
    mentions: messageTable.mentions,
  },
  columns: { revision: sql.notNull(messageTable.revision), edited_at: sql.notNull(messageTable.editedAt) },
});

/** Edits messages. */
@Injectable()
export class EditingService {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly transactions: ConversationTransactions,
    @Inject(MESSAGES_SETTINGS) private readonly settings: MessagesSettings,
    @Inject(SEARCH_SETTINGS) private readonly search: SearchSettings,
  ) {}

  /**
   * Replaces the text of a message of the caller, which keeps its attachments. With `keepsRevisions` the former text is
   * stored. If the text is the same, nothing changes and only this connection gets a reply.
   *
   * @throws ChatError `not-found` if there is no such message, it is deleted, or the caller may not read it;
   * `forbidden` if the message is not the caller's, or the caller has left the channel; `too-late`; and as for a new
   * message `blocked`, `friends-only`
   */
  async edit({ id, message: text }: ClientPayload<'edit-message'>, request: FrameRequest): Promise<void> {
    const { account } = request;
    const found = await conversationOfMessage.find(this.pool, { id });
    if (found === undefined) throw notFound();
    const { conversation_id: conversationId } = found;
    const message = { id, conversation_id: conversationId };
    let unchanged: ServerPayload<'message-edited'> | undefined;
    await this.transactions.change(conversationId, request, async ({ client }, role) => {
      const stored = await editableMessage.find(client, {
        conversationId,
        id,
        windowMs: this.settings.editWindowMs,
      });
      // A concurrent request may have deleted it.
      if (stored === undefined) throw notFound();
      if (stored.sender !== account) throw new ChatError('forbidden', 'the message is not yours');
      const { revision, written_at: writtenAt } = stored;
      const content = withUrls(text, stored.attachments);
      if (stored.content === content) {
        unchanged = editedPayload(message, { content, mentions: stored.mentions, revision, editedAt: writtenAt });
        return { events: [] };
      }
      if (role === 'none') throw new ChatError('forbidden', 'you have left this channel');
      // The recipients get the new text, so the blocks and settings for new messages apply.
      await authorizeMessage(client, { conversationId, sender: account });
      if (stored.is_past_window) throw new ChatError('too-late', 'the message is too old to edit');
      const payload = editedPayload(message, await this.replaceText(client, conversationId, stored, content));
      return { events: [{ type: 'message-edited', payload, to: {} }], isQuiet: true };
    });
    if (unchanged !== undefined) request.reply('message-edited', unchanged);
  }

  /** Stores the new text, who it mentions, and the former text, and has the message indexed again. */
  private async replaceText(
    client: Queryable,
    conversationId: string,
    { seq, sender, revision, ...former }: RowOf<typeof editableColumns>,
    content: string,
  ): Promise<CurrentText> {
    if (this.settings.keepsRevisions) {
      const { content: formerContent, written_at: at } = former;
      await keepRevision.execute(client, { conversationId, seq, revision, content: formerContent, at });
    }
    const repliedToSender = former.replied_to_sender ?? undefined;
    const [{ ranges, accounts } = noMentions] = await findMentions(client, [
      { conversationId, sender, content, repliedToSender },
    ]);
    const mentions = ranges === undefined ? null : JSON.stringify(ranges);
    const edited = await editMessage.find(client, { conversationId, seq, content, mentions });
    // Retention may have removed it.
    if (edited === undefined) throw notFound();
    await replaceMentions(client, { conversationId, messageSeq: seq, sender }, accounts);
    if (this.search.isOn) await queueReindex.execute(client, { conversationId, seq, revision: edited.revision });
    return { content, mentions: ranges, revision: edited.revision, editedAt: edited.edited_at };
  }
}

/** The text of a message after an edit. */
interface CurrentText {
  content: string;
  mentions: readonly Mention[] | null | undefined;
  revision: number;
  editedAt: Date;
}

function editedPayload(
  message: { id: string; conversation_id: string },
  { content, mentions, revision, editedAt }: CurrentText,
): ServerPayload<'message-edited'> {
  const { id, conversation_id } = message;
  return {
    id,
    conversation_id,
    content,
    ...(mentions && { mentions: [...mentions] }),
    revision,
    edited_at: editedAt.toISOString(),
  };
}
