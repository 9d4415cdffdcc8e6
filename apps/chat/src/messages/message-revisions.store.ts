import { Inject, Injectable } from '@nestjs/common';
import { type MessageRevision, maxRevisionsPage } from '@waggle/contracts';
import { isJoined, POOL, sql, Statement } from '@waggle/service';
import { type Pool } from 'pg';
import { z } from 'zod';
import { decodeCursor, encodeCursor, jsonBytes, selectPage, type Page } from '../lists/page';
import { messageRevisionTable } from '../log/message-revision.entity';
import { opaqueLimit } from '../opaque-limit';
import { memberTable } from '../log/member.entity';
import { messageTable } from '../log/message.entity';

const maxRevision = 2 ** 31 - 1;
/** The cursor of a page of former texts: the last revision of the page before. */
const revisionCursor = z.tuple([z.int().min(0).max(maxRevision)]);

/** Bytes in JSON of a revision without its text. */
const revisionBytes = 80;

/**
 * Returns a page of the revisions of a message, the first one first; one row of nulls if it has none, and no row if the
 * account may not read the message.
 */
const revisionsOfMessage = new Statement({
  name: 'revisions-of-message',
  text: `
    SELECT page.revision, page.content, page.at, page.has_next
    FROM message m
    JOIN conversation c ON c.id = m.conversation_id
    LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = $3
    LEFT JOIN LATERAL (${selectPage(
      `SELECT revision, content, at, ${revisionBytes} + ${jsonBytes('content')} AS bytes FROM message_revision
       WHERE conversation_id = $1 AND seq = m.seq AND revision > $4
       ORDER BY revision LIMIT ${opaqueLimit(maxRevisionsPage + 1)}`,
      maxRevisionsPage + 1,
      'revision',
    )}) page ON true
    WHERE m.conversation_id = $1 AND m.id = $2 AND m.deleted_at IS NULL AND (c.type = 'channel' OR mine.status = 'member')
    ORDER BY page.revision`,
  parameters: {
    conversationId: messageTable.conversationId,
    id: messageTable.id,
    account: memberTable.account,
    after: messageRevisionTable.revision,
  },
  columns: {
    revision: sql.nullable(messageRevisionTable.revision),
    content: sql.nullable(messageRevisionTable.content),
    at: sql.nullable(messageRevisionTable.at),
    has_next: sql.nullable(sql.bool),
  },
});

/** Reads the former texts of messages. */
@Injectable()
export class MessageRevisionsStore {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /**
   * Returns the former texts of a message after a revision, the first one first; undefined if the message does not
   * exist, was deleted, or is in a conversation that the account may not see.
   */
  async list(
    account: string,
    message: { conversationId: string; id: string },
    cursor: string | undefined,
  ): Promise<Page<MessageRevision> | undefined> {
    const [after] = cursor === undefined ? [-1] : decodeCursor(cursor, revisionCursor);
    const rows = await revisionsOfMessage.query(this.pool, { ...message, account, after });
    if (rows.length === 0) return undefined;
    const items = rows.flatMap((row) =>
      isJoined(row, ['revision', 'content', 'at'])
        ? [{ revision: row.revision, content: row.content, timestamp: row.at.toISOString() }]
        : [],
    );
    const last = items.at(-1);
    const isCut = rows.at(-1)?.has_next === true && last !== undefined;
    return { items, next: isCut ? encodeCursor([last.revision]) : undefined };
  }
}
