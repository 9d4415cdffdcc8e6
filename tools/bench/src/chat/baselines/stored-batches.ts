import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { type SentMessage, type DeliveredMessage } from './socket-server';

/** Has only the primary key: an index for paging would double the CPU time of PostgreSQL (13 instead of 7 µs per message). */
const table = `
  CREATE TABLE message (
    id              uuid PRIMARY KEY,
    conversation_id text NOT NULL,
    sender          text NOT NULL,
    recipient       text,
    content         text NOT NULL,
    sent_at         timestamptz(3) NOT NULL
  )`;

const insert = {
  name: 'store',
  text: `
    INSERT INTO message (id, conversation_id, sender, recipient, content, sent_at)
    SELECT *, $6::timestamptz FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])`,
};

/** Stores each batch of messages with one prepared INSERT. */
export class StoredBatches {
  /** Ids ascend, so that each goes to the end of the index; the last 12 digits are a counter. */
  private readonly idPrefix = randomUUID().slice(0, -12);
  private lastNumber = 0;

  private constructor(private readonly pool: Pool) {}

  /** Creates the table in the database of DATABASE_URL. */
  static async create(connections: number): Promise<StoredBatches> {
    const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: connections });
    await pool.query(table);
    return new StoredBatches(pool);
  }

  /** Resolves when the messages are durable. */
  async store(sent: readonly SentMessage[]): Promise<DeliveredMessage[]> {
    const sentAt = new Date();
    const messages = sent.map((message) => ({ ...message, id: this.nextId(), sentAt }));
    const values = [
      messages.map(({ id }) => id),
      messages.map(({ conversationId }) => conversationId),
      messages.map(({ from }) => from),
      messages.map(({ to }) => to),
      messages.map(({ content }) => content),
      sentAt,
    ];
    await this.pool.query({ ...insert, values });
    return messages;
  }

  private nextId(): string {
    this.lastNumber += 1;
    return this.idPrefix + this.lastNumber.toString(16).padStart(12, '0');
  }
}
