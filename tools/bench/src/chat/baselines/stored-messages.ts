import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { type SentMessage, type DeliveredMessage } from './socket-server';

/** The default of the chat. */
const poolSize = 10;

/** Has a primary key and the index for paging by time. */
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

/** Stores each message with one prepared INSERT. */
export class StoredMessages {
  private constructor(private readonly pool: Pool) {}

  /** Creates the table in the database of DATABASE_URL. */
  static async create(): Promise<StoredMessages> {
    const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: poolSize });
    await pool.query(table);
    return new StoredMessages(pool);
  }

  /** Resolves when the message is durable. */
  async store({ conversationId, from, to, content }: SentMessage): Promise<DeliveredMessage> {
    const [id, sentAt] = [randomUUID(), new Date()];
    await this.pool.query({
      name: 'store',
      text: `INSERT INTO message (id, conversation_id, sender, recipient, content, sent_at) VALUES ($1, $2, $3, $4, $5, $6)`,
      values: [id, conversationId, from, to, content, sentAt],
    });
    return { id, conversationId, from, to, content, sentAt };
  }
}
