import { Client } from 'pg';
import { markOf } from './clients/held-messages';
import { type LostMessage, type StoredConversation, type StoredMessage } from './observation';

interface ConversationRow {
  id: string;
  type: string;
  hearers: string[];
}

interface MessageRow {
  conversation_id: string;
  seq: string;
  id: string;
  sender: string;
  content: string;
  sent_at: Date;
}

/** The last place of each conversation at this moment. */
export async function readPlaces(databaseUrl: string): Promise<Map<string, number>> {
  return await withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; last_seq: string }>('SELECT id, last_seq FROM conversation');
    return new Map(rows.map(({ id, last_seq }) => [id, Number(last_seq)]));
  });
}

export async function readConversationIds(databaseUrl: string): Promise<Set<string>> {
  return new Set((await readPlaces(databaseUrl)).keys());
}

/** The messages that a former database has and the one that has taken over at this time lacks. */
export async function readLost(formerUrl: string, databaseUrl: string, atMs: number): Promise<LostMessage[]> {
  const [former, present] = await Promise.all([readIds(formerUrl), readIds(databaseUrl)]);
  return Array.from(former, ([id, mark]) => ({ id, mark, atMs })).filter(({ id }) => !present.has(id));
}

async function readIds(databaseUrl: string): Promise<Map<string, string>> {
  return await withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<Pick<MessageRow, 'id' | 'content'>>(
      'SELECT id, left(content, 64) AS content FROM message',
    );
    return new Map(rows.map(({ id, content }) => [id, markOf(content)]));
  });
}

/**
 * Everything that the database holds.
 *
 * @param watchedAfter the place of each conversation after which it was watched; the others were watched from the first on
 */
export async function readStored(
  databaseUrl: string,
  watchedAfter: ReadonlyMap<string, number>,
): Promise<StoredConversation[]> {
  return await withDatabase(databaseUrl, async (client) => {
    const { rows: conversations } = await client.query<ConversationRow>(`
      SELECT c.id, c.type, array_agg(m.account) AS hearers
      FROM conversation c JOIN member m ON m.conversation_id = c.id
      WHERE m.status = 'member' OR m.followed_at IS NOT NULL
      GROUP BY c.id ORDER BY c.id`);
    // Of the large texts the beginning is enough.
    const { rows: messages } = await client.query<MessageRow>(`
      SELECT conversation_id, seq, id, sender, left(content, 64) AS content, sent_at
      FROM message ORDER BY conversation_id, seq`);
    const byConversation = new Map<string, StoredMessage[]>(conversations.map(({ id }) => [id, []]));
    for (const row of messages) byConversation.get(row.conversation_id)?.push(toStored(row));
    return conversations.map(({ id, type, hearers }) => ({
      id,
      kind: type,
      hearers,
      afterSeq: watchedAfter.get(id) ?? 0,
      messages: byConversation.get(id) ?? [],
    }));
  });
}

function toStored({ seq, id, sender, content, sent_at }: MessageRow): StoredMessage {
  return { seq: Number(seq), id, mark: markOf(content), sender, timestamp: sent_at.toISOString() };
}

async function withDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
