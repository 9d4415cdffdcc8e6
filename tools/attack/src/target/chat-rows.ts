import { randomUUID } from 'node:crypto';
import { type Target } from './target';

/** Inserts rows of the chat that an attacker's other accounts could have created over days. */
export class ChatRows {
  constructor(private readonly target: Target) {}

  /**
   * A direct conversation with messages that the account has not read, one for each millisecond from now on, so that a
   * resume from an earlier cursor misses all of them. @returns its id
   */
  async unreadMessages(account: string, { count, text, sender = 'stranger' }: UnreadMessages): Promise<string> {
    const id = randomUUID();
    const [first, second] = [account, sender].toSorted();
    await this.insertInto(
      'conversation',
      `(id, type, creator, dm_first, dm_second, last_seq, changed_seq, last_message_at)
       VALUES ($1, 'dm', $2, $3, $4, $5, 1, now())`,
      [id, sender, first, second, count + 1],
    );
    await this.insertInto('member', '(conversation_id, account) SELECT $1, unnest($2::text[])', [
      id,
      [account, sender],
    ]);
    await this.insertInto(
      'message',
      `(conversation_id, seq, id, sender, recipient, content, sent_at)
       SELECT $1, n, $1 || '-' || n, $2, $3, $4, now() + n * interval '1 millisecond' FROM generate_series(2, $5::int) n`,
      [id, sender, account, text, count + 1],
    );
    return id;
  }

  /** Groups of the account. */
  async groups(account: string, { count, members }: { count: number; members: number }): Promise<void> {
    const prefix = randomUUID();
    await this.insertInto(
      'conversation',
      `(id, type, name, creator, last_seq, changed_seq, last_message_at)
       SELECT $1 || '-' || n, 'group', 'group ' || n, $2, 1, 1, now() FROM generate_series(1, $3::int) n`,
      [prefix, account, count],
    );
    await this.insertInto(
      'member',
      `(conversation_id, account)
       SELECT $1 || '-' || n, CASE m WHEN 0 THEN $2 ELSE 'group-member-' || m END
       FROM generate_series(1, $3::int) n, generate_series(0, $4::int - 1) m`,
      [prefix, account, count, members],
    );
  }

  /** Direct conversations of the account with others, without messages. */
  async directConversations(account: string, count: number): Promise<void> {
    const prefix = randomUUID();
    await this.insertInto(
      'conversation',
      `(id, type, creator, dm_first, dm_second, last_seq, changed_seq, last_message_at)
       SELECT $1 || '-' || n, 'dm', $2, $2, 'zz-other-' || n, 1, 1, now() FROM generate_series(1, $3::int) n`,
      [prefix, account, count],
    );
    await this.insertInto(
      'member',
      `(conversation_id, account)
       SELECT $1 || '-' || n, unnest(ARRAY[$2, 'zz-other-' || n]) FROM generate_series(1, $3::int) n`,
      [prefix, account, count],
    );
  }

  /** Members of an existing channel, called `member-1` and so on. */
  async channelMembers(channel: string, count: number): Promise<void> {
    await this.insertInto(
      'member',
      `(conversation_id, account) SELECT $1, 'member-' || n FROM generate_series(1, $2::int) n`,
      [channel, count],
    );
  }

  /** Sessions of the account, as a day of log-ins creates them. */
  async sessions(account: string, count: number): Promise<void> {
    await this.insertInto(
      'session',
      `(id, account, proof, signing_key, browser, ip, expires_at)
       SELECT $1 || '-' || n, $2, sha256(($1 || n)::bytea), '', repeat('a', 40), '127.0.0.1', now() + interval '90 days'
       FROM generate_series(1, $3::int) n`,
      [randomUUID(), account, count],
    );
  }

  /** Friends of the account, called `zz-friend-1` and so on, and as many blocked accounts. */
  async friendsAndBlocks(account: string, count: number): Promise<void> {
    await this.insertInto(
      'friendship',
      `(first, second) SELECT $1, 'zz-friend-' || n FROM generate_series(1, $2::int) n`,
      [account, count],
    );
    await this.insertInto(
      'block',
      `(blocker, blocked) SELECT $1, 'zz-blocked-' || n FROM generate_series(1, $2::int) n`,
      [account, count],
    );
  }

  async friendship(one: string, other: string): Promise<void> {
    await this.insertInto('friendship', '(first, second) VALUES ($1, $2)', [one, other].toSorted());
  }

  /** @param text what follows the table's name in the statement */
  private async insertInto(table: string, text: string, values: readonly unknown[]): Promise<void> {
    await this.target.query('chat', `INSERT INTO ${table} ${text}`, values);
    // As autovacuum would have done since.
    await this.target.query('chat', `ANALYZE ${table}`);
  }
}

interface UnreadMessages {
  count: number;
  text: string;
  /** By default an account that is not on the chain. */
  sender?: string;
}

/** Six bytes each in JSON. Rejected in new messages, but earlier versions stored them. */
export const controlText = '\u0001'.repeat(4_000);

/** Four bytes each: the largest text that may be sent. */
export const emojiText = '😀'.repeat(4_000);
