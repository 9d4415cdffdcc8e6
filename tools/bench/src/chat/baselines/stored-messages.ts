import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { type SentMessage, type ToldMessage } from './socket-server';

/** As many as the chat has by default. */
const poolSize = 10;

/** A table of messages as one would write it at once: a key, and the index that paging by time needs. */
const table = `
  CREATE TABLE message (
    id              uuid PRIMARY KEY,
    conversation_id text NOT NULL,
    sender          text NOT NULL,
    recipient       text,
    content         text NOT NULL,
    sent_at         timestamptz(3) NOT NULL
  );
  CREATE INDEX message_sent_at ON message (conversation_id, sent_at)`;

/** Stores messages with one INSERT and one commit each, over a pool. The statement is parsed once for each connection. */
export class StoredMessages {
  private constructor(private readonly pool: Pool) {}

  /** Makes the table, in the database that DATABASE_URL names. */
  static async create(): Promise<StoredMessages> {
    const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: poolSize });
    await pool.query(table);
    return new StoredMessages(pool);
  }

  /** Resolves when the message is durable. */
  async store({ conversationId, from, to, content }: SentMessage): Promise<ToldMessage> {
    const [id, sentAt] = [randomUUID(), new Date()];
    await this.pool.query({
      name: 'store',
      text: `INSERT INTO message (id, conversation_id, sender, recipient, content, sent_at) VALUES ($1, $2, $3, $4, $5, $6)`,
      values: [id, conversationId, from, to, content, sentAt],
    });
    return { id, conversationId, from, to, content, sentAt };
  }
}
