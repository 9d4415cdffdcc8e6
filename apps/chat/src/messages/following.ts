import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { Streams } from '../streams/streams';

/** Channels that an account follows without being a member; the one that it began to follow first ends. */
const followedMost = 50;

/** Who follows which channel without being a member: whoever has asked for it over REST, at whichever instance. */
@Injectable()
export class Following {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly streams: Streams,
  ) {}

  /**
   * Reads, and follows the channels that are found which the account may follow and does not yet. Then it is read again: what
   * happened between the reading and the following would be missed.
   */
  async followWhatIsFound<Found>(
    account: string,
    read: () => Promise<{ found: Found; followable: readonly string[] }>,
  ): Promise<Found> {
    const { found, followable } = await read();
    if (followable.length === 0) return found;
    await this.follow(account, followable.slice(0, followedMost));
    return (await read()).found;
  }

  private async follow(account: string, channels: readonly string[]) {
    const { rows } = await this.pool.query<{ look_streams: string[] }>({
      name: 'follow-channels',
      text: `
        WITH followed AS (
          INSERT INTO member (conversation_id, account, standing, joined_seq, followed_at)
          SELECT id, $1, 'reader', last_seq, clock_timestamp() FROM conversation WHERE id = ANY($2) AND type = 'channel' ORDER BY id
          ON CONFLICT (conversation_id, account) DO UPDATE
            SET standing = 'reader', joined_seq = excluded.joined_seq, followed_at = excluded.followed_at
            -- Who was removed is kept out, whatever was read a moment ago.
            WHERE member.standing IN ('reader', 'former') AND member.followed_at IS NULL
          RETURNING conversation_id
        )
        INSERT INTO commit_log (at, streams, seqs, look_accounts, look_streams)
        SELECT clock_timestamp(), '{}', '{}', array_agg($1), array_agg(conversation_id) FROM followed HAVING count(*) > 0
        RETURNING look_streams`,
      values: [account, channels],
    });
    const looks = [...(rows[0]?.look_streams ?? []), ...(await this.forgetEldest(account))];
    await this.streams.lookAgain(looks.map((stream) => ({ account, stream })));
  }

  /** @returns the channels that the account does not follow any more */
  private async forgetEldest(account: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ look_streams: string[] }>({
      name: 'forget-eldest-followed',
      text: `
        WITH forgotten AS (
          UPDATE member SET followed_at = NULL
          WHERE account = $1 AND standing = 'reader' AND followed_at <= (
            SELECT followed_at FROM member WHERE account = $1 AND standing = 'reader' AND followed_at IS NOT NULL
            ORDER BY followed_at DESC OFFSET ${followedMost} LIMIT 1)
          RETURNING conversation_id
        )
        INSERT INTO commit_log (at, streams, seqs, look_accounts, look_streams)
        SELECT clock_timestamp(), '{}', '{}', array_agg($1), array_agg(conversation_id) FROM forgotten HAVING count(*) > 0
        RETURNING look_streams`,
      values: [account],
    });
    return rows[0]?.look_streams ?? [];
  }
}
