import { withDatabase } from '@waggle/testing';
import { type LostMessage, type StoredConversation, type StoredMessage, tagOf } from './observation';

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
      SELECT conversation_id, seq, id, sender, left(content, 64) AS content, sent_at
      FROM message ORDER BY conversation_id, seq`);
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

function toStored({ seq, id, sender, content, sent_at }: MessageRow): StoredMessage {
  return { seq: Number(seq), id, tag: tagOf(content), sender, timestamp: sent_at.toISOString() };
}
