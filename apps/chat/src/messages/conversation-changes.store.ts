import { Inject, Injectable } from '@nestjs/common';
import { conversationChange, maxChangesPage, type ChangesQuery, type ConversationChange } from '@waggle/contracts';
import { isJoined, POOL, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { type Page } from '../lists/page';
import { conversationChangeTable } from '../log/conversation-change.entity';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';
import { opaqueLimit } from '../opaque-limit';

/**
 * Returns the newest changes in a range, the newest first: one more than a page has, to know whether there are older
 * ones. One row of nulls if there are none; no row if the account may not read the conversation.
 */
const changesOfConversation = new Statement({
  name: 'changes-of-conversation',
  text: `
    SELECT page.*
    FROM conversation c
    LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = $2
    LEFT JOIN LATERAL (
      SELECT seq, at, type, by, username, name FROM conversation_change
      WHERE conversation_id = c.id AND seq > $3 AND seq <= $4
      ORDER BY seq DESC LIMIT ${opaqueLimit(maxChangesPage + 1)}
    ) page ON true
    WHERE c.id = $1 AND (c.type = 'channel' OR mine.status = 'member')
    ORDER BY page.seq DESC`,
  parameters: {
    conversationId: conversationTable.id,
    account: memberTable.account,
    afterSeq: conversationChangeTable.seq,
    untilSeq: conversationChangeTable.seq,
  },
  columns: {
    seq: sql.nullable(conversationChangeTable.seq),
    at: sql.nullable(conversationChangeTable.at),
    type: sql.nullable(conversationChangeTable.type),
    by: sql.nullable(conversationChangeTable.by),
    username: conversationChangeTable.username,
    name: conversationChangeTable.name,
  },
});

/** Reads the changes that the history of conversations shows; `storeShownChanges` stores them. */
@Injectable()
export class ConversationChangesStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Returns the newest changes in a range, in ascending order; undefined if the account may not see the conversation.
   * The next page has older ones.
   */
  async list(
    account: string,
    { conversation_id: conversationId, after_seq: afterSeq, until_seq: untilSeq }: ChangesQuery,
  ): Promise<Page<ConversationChange> | undefined> {
    const rows = await changesOfConversation.query(this.pool, {
      conversationId,
      account,
      afterSeq,
      untilSeq: untilSeq ?? Number.MAX_SAFE_INTEGER,
    });
    if (rows.length === 0) return undefined;
    const items = rows.slice(0, maxChangesPage).flatMap((row): ConversationChange[] => {
      if (!isJoined(row, ['seq', 'at', 'type', 'by'])) return [];
      const { seq, at, by, username, name } = row;
      const { data: type } = conversationChange.shape.type.safeParse(row.type);
      // A newer version stores a type that this one does not know.
      return type === undefined ? [] : [{ seq: Number(seq), timestamp: at.toISOString(), type, by, username, name }];
    });
    // `until_seq` of the next page is inclusive.
    const firstOfNext = rows[maxChangesPage];
    return { items: items.toReversed(), next: firstOfNext && String(firstOfNext.seq) };
  }
}
