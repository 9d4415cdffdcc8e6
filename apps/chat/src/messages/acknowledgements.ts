import { Inject, Injectable } from '@nestjs/common';
import { Batcher, type Queryable } from '@waggle/service';
import { type Pool } from 'pg';
import { overloaded } from '../errors';
import { WRITER_POOL } from './writer-pool';

/** That an account has read what a conversation holds. */
export interface Acknowledgement {
  conversationId: string;
  account: string;
}

/** What has become of an acknowledgement: everything up to `seq` is read. */
export interface Acknowledged extends Acknowledgement {
  seq: number;
  /** The other account of a direct conversation, which may know of it, unless one of them blocks the other; null elsewhere. */
  reader: string | null;
}

const maxItems = 500;
const maxQueued = 10_000;
const maxWaitMs = 5_000;

/** Stores acknowledgements in batches. */
@Injectable()
export class Acknowledgements {
  private readonly batcher = new Batcher<Acknowledgement, Acknowledged | null>({
    keyOf,
    flush: async (acknowledgements) => {
      const byKey = new Map((await store(this.pool, acknowledgements)).map((each) => [keyOf(each), each]));
      return acknowledgements.map((each) => byKey.get(keyOf(each)) ?? null);
    },
    maxItems,
    maxFlushes: 1,
    maxQueued,
    maxWaitMs,
    overloaded,
  });

  constructor(@Inject(WRITER_POOL) private readonly pool: Pool) {}

  /**
   * Marks everything that the conversation holds as read by the account.
   * @returns null if the account may not read the conversation
   * @throws ChatError `unavailable` if too many wait
   */
  add(acknowledgement: Acknowledgement): Promise<Acknowledged | null> {
    return this.batcher.add(acknowledgement);
  }
}

function keyOf({ conversationId, account }: Acknowledgement): string {
  return `${conversationId} ${account}`;
}

interface AcknowledgedRow {
  conversation_id: string;
  account: string;
  seq: string;
  reader: string | null;
}

/** @returns those whose conversation the account may read: in a channel also one that it is no member of */
async function store(client: Queryable, acknowledgements: readonly Acknowledgement[]): Promise<Acknowledged[]> {
  const { rows } = await client.query<AcknowledgedRow>({
    name: 'acknowledge',
    text: `
      WITH acknowledged AS (
        INSERT INTO member (conversation_id, account, standing, acknowledged_seq, acknowledged_at)
        SELECT DISTINCT c.id, a.account, 'reader', c.last_seq, now()
        FROM unnest($1::text[], $2::text[]) AS a (conversation_id, account)
        JOIN conversation c ON c.id = a.conversation_id
        LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = a.account
        WHERE c.type = 'channel' OR mine.standing = 'member'
        -- In one order, so that two of these never wait for one another.
        ORDER BY c.id, a.account
        ON CONFLICT (conversation_id, account) DO UPDATE
          SET acknowledged_seq = greatest(member.acknowledged_seq, excluded.acknowledged_seq),
              acknowledged_at = excluded.acknowledged_at
        RETURNING conversation_id, account, acknowledged_seq
      )
      SELECT a.conversation_id, a.account, a.acknowledged_seq AS seq,
             CASE WHEN NOT c.blocked THEN CASE a.account WHEN c.dm_first THEN c.dm_second ELSE c.dm_first END END AS reader
      FROM acknowledged a JOIN conversation c ON c.id = a.conversation_id`,
    values: [
      acknowledgements.map(({ conversationId }) => conversationId),
      acknowledgements.map(({ account }) => account),
    ],
  });
  return rows.map((row) => ({
    conversationId: row.conversation_id,
    account: row.account,
    seq: Number(row.seq),
    reader: row.reader,
  }));
}
