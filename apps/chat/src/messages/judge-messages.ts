import { type Queryable } from '@waggle/service';

/** Why an account may not write into a conversation. */
export type Refusal = 'not-found' | 'blocked' | 'friends-only' | 'kept-out';

/**
 * What was found of a writer at a place of the conversation. `arrives`: the message brings somebody in, a writer who joins
 * the channel by it or whoever had left the dm, so it is a change too.
 */
export type Judgement = { outcome: 'may' | 'arrives'; seq: number; recipient: string | null } | { outcome: Refusal };

export interface Writer {
  conversationId: string;
  sender: string;
}

interface JudgementRow {
  outcome: Judgement['outcome'];
  last_seq: string | null;
  recipient: string | null;
}

/** @returns for each writer, in the given order, whether it may write, as far as this statement sees */
export async function judgeMessages(client: Queryable, writers: readonly Writer[]): Promise<Judgement[]> {
  const { rows } = await client.query<JudgementRow>({
    name: 'judge-messages',
    text: `
      SELECT c.last_seq, CASE c.type WHEN 'dm' THEN other.account END AS recipient,
             CASE WHEN c.type = 'channel' THEN
                    CASE mine.standing WHEN 'member' THEN 'may' WHEN 'kept-out' THEN 'kept-out' ELSE 'arrives' END
                  WHEN mine.standing IS DISTINCT FROM 'member' THEN 'not-found'
                  WHEN c.type = 'group' THEN 'may'
                  WHEN c.blocked THEN 'blocked'
                  -- Not by EXISTS, for which the planner may read a table whole.
                  WHEN (SELECT dm_from_friends FROM setting WHERE account = other.account)
                    AND (SELECT true FROM friendship WHERE first = c.dm_first AND second = c.dm_second) IS NULL THEN 'friends-only'
                  WHEN (SELECT bool_or(hidden) FROM member WHERE conversation_id = c.id) THEN 'arrives'
                  ELSE 'may' END AS outcome
      FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (conversation_id, sender, n)
      LEFT JOIN conversation c ON c.id = w.conversation_id
      LEFT JOIN member mine ON mine.conversation_id = c.id AND mine.account = w.sender
      -- As elsewhere a name is compared: by the order of the bytes, no index of another table would do.
      CROSS JOIN LATERAL (SELECT CASE w.sender WHEN c.dm_first THEN c.dm_second ELSE c.dm_first END COLLATE "default" AS account) other
      ORDER BY w.n`,
    values: [writers.map(({ conversationId }) => conversationId), writers.map(({ sender }) => sender)],
  });
  return rows.map(({ outcome, last_seq, recipient }) =>
    outcome === 'may' || outcome === 'arrives' ? { outcome, seq: Number(last_seq), recipient } : { outcome },
  );
}
