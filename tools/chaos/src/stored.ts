import { withDatabase } from '@waggle/testing';
import { type LostMessage, type StoredConversation, type StoredMessage, tagOf, type Values } from './observation';

interface ConversationRow {
  id: string;
  type: string;
  subscribers: string[];
}

interface MessageRow {
  conversation_id: string;
  seq: string;
  id: string;
  sender: string;
  content: string;
  sent_at: Date;
  is_deleted: boolean;
  replied_to: string | null;
  mentions: StoredMessage['mentions'];
  edits: string[];
}

/** Reads the last sequence number of each conversation. */
export async function readLastSeqs(databaseUrl: string): Promise<Map<string, number>> {
  return await withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; last_seq: string }>('SELECT id, last_seq FROM conversation');
    return new Map(rows.map(({ id, last_seq }) => [id, Number(last_seq)]));
  });
}

export async function readConversationIds(databaseUrl: string): Promise<Set<string>> {
  return new Set((await readLastSeqs(databaseUrl)).keys());
}

/** Reads the messages of the former primary that the promoted database lacks. */
export async function readLost(formerUrl: string, databaseUrl: string, replacedAtMs: number): Promise<LostMessage[]> {
  const [former, present] = await Promise.all([readIds(formerUrl), readIds(databaseUrl)]);
  return Array.from(former, ([id, tag]) => ({ id, tag, replacedAtMs })).filter(({ id }) => !present.has(id));
}

async function readIds(databaseUrl: string): Promise<Map<string, string>> {
  return await withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<Pick<MessageRow, 'id' | 'content'>>(
      'SELECT id, left(content, 64) AS content FROM message',
    );
    return new Map(rows.map(({ id, content }) => [id, tagOf(content)]));
  });
}

/**
 * Reads all conversations and messages. @param startSeqs see `StoredConversation.startSeq`; 0 for other conversations
 */
export async function readStored(
  databaseUrl: string,
  startSeqs: ReadonlyMap<string, number>,
): Promise<StoredConversation[]> {
  return await withDatabase(databaseUrl, async (client) => {
    const { rows: conversations } = await client.query<ConversationRow>(`
      SELECT c.id, c.type, array_agg(m.account) AS subscribers
      FROM conversation c JOIN member m ON m.conversation_id = c.id
      WHERE m.status = 'member' OR m.followed_at IS NOT NULL
      GROUP BY c.id ORDER BY c.id`);
    // The texts are large, and only the first word is needed.
    const { rows: messages } = await client.query<MessageRow>(`
      SELECT m.conversation_id, m.seq, m.id, m.sender, left(m.content, 64) AS content, m.sent_at,
             m.deleted_at IS NOT NULL AS is_deleted, replied_to.sender AS replied_to,
             coalesce((SELECT json_agg(json_build_object('account', account, 'seq', seq)) FROM mention
                       WHERE conversation_id = m.conversation_id AND message_seq = m.seq), '[]') AS mentions,
             CASE WHEN m.revision IS NULL THEN '{}' ELSE ARRAY(
               SELECT content FROM message_revision r
               WHERE r.conversation_id = m.conversation_id AND r.seq = m.seq AND r.revision > 0 ORDER BY r.revision
             ) || m.content END AS edits
      FROM message m LEFT JOIN message replied_to
        ON replied_to.conversation_id = m.conversation_id AND replied_to.seq = m.reply_to_seq
      ORDER BY m.conversation_id, m.seq`);
    const byConversation = new Map<string, StoredMessage[]>(conversations.map(({ id }) => [id, []]));
    for (const row of messages) byConversation.get(row.conversation_id)?.push(toStored(row));
    return conversations.map(({ id, type, subscribers }) => ({
      id,
      kind: type,
      subscribers,
      startSeq: startSeqs.get(id) ?? 0,
      messages: byConversation.get(id) ?? [],
    }));
  });
}

function toStored(row: MessageRow): StoredMessage {
  const { seq, id, sender, content, sent_at, is_deleted: isDeleted, replied_to, mentions, edits } = row;
  const named = Array.from(content.matchAll(/@([\w-]+)/g), ([, account = '']) => account);
  const mentioned = new Set([...named, ...(replied_to === null ? [] : [replied_to])]);
  mentioned.delete(sender);
  return {
    ...{ seq: Number(seq), id, tag: tagOf(content), sender, timestamp: sent_at.toISOString(), isDeleted },
    ...{ expectedMentions: isDeleted ? [] : [...mentioned].toSorted(), mentions, edits },
  };
}

/** Reads what changes set, see `Observation.values`. */
export async function readValues(databaseUrl: string): Promise<Values> {
  return await withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ key: string; value: string }>(`
      SELECT 'deleted ' || id AS key, 1 AS value FROM message WHERE deleted_at IS NOT NULL
      UNION ALL SELECT 'reaction ' || id || ' ' || emoji || ' ' || account, 1
      FROM reaction JOIN message USING (conversation_id, seq)
      UNION ALL SELECT 'pin ' || id, 1 FROM pin JOIN message USING (conversation_id, seq)
      UNION ALL SELECT 'read ' || conversation_id || ' ' || account, acknowledged_seq FROM member
      UNION ALL SELECT 'mute ' || conversation_id || ' ' || account, 1 FROM member WHERE muted
      UNION ALL SELECT 'favourite ' || conversation_id || ' ' || account, 1 FROM member WHERE favourite`);
    return Object.fromEntries(rows.map(({ key, value }) => [key, Number(value)]));
  });
}
