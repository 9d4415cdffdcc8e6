import { Injectable } from '@nestjs/common';
import { type Queryable, sql, Statement } from '@waggle/service';
import { ChangeTransactions } from '../delivery/change-transactions';
import { type NewChange } from '../log/append-changes';
import { type Subscription } from '../log/entry';
import { endFollowing } from '../membership/membership.statements';
import { FrameLimits } from '../realtime/frame-limits';
import { priceOfChange } from '../realtime/frame-prices';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';

/**
 * Maximum number of channels that an account follows without being a member. Following another one ends the oldest of
 * these subscriptions.
 */
const maxFollowed = 50;

/** Subscribes an account to channels. Returns the ones that it did not follow, and after which sequence number. */
const followChannels = new Statement({
  name: 'follow-channels',
  text: `
    INSERT INTO member (conversation_id, account, status, joined_seq, followed_at)
    SELECT id, $1, 'reader', last_seq, clock_timestamp() FROM conversation WHERE id = ANY($2) AND type = 'channel' ORDER BY id
    ON CONFLICT (conversation_id, account) DO UPDATE
      -- A leave may have been committed after the statement has read last_seq.
      SET status = 'reader', joined_seq = greatest(excluded.joined_seq, member.left_seq), followed_at = excluded.followed_at
      -- Not if it was removed, joined or followed meanwhile.
      WHERE member.status IN ('reader', 'left') AND member.followed_at IS NULL
    RETURNING conversation_id, joined_seq`,
  parameters: { account: memberTable.account, channelIds: sql.arrayOf(conversationTable.id) },
  columns: { conversation_id: memberTable.conversationId, joined_seq: memberTable.joinedSeq },
});

/** Locks the channels that an account follows beyond `maxFollowed`, and returns them. */
const lockExcessFollowed = new Statement({
  name: 'lock-excess-followed',
  text: `
    WITH excess AS MATERIALIZED (
      SELECT conversation_id FROM member WHERE account = $1 AND status = 'reader' AND followed_at IS NOT NULL
      ORDER BY followed_at DESC OFFSET ${maxFollowed}
    )
    SELECT id FROM conversation WHERE id IN (SELECT conversation_id FROM excess) ORDER BY id FOR NO KEY UPDATE`,
  parameters: { account: memberTable.account },
  columns: { id: conversationTable.id },
});

/** Ends subscriptions of an account to channels. Returns the channels that it followed until now. */
const unfollowChannels = new Statement({
  name: 'unfollow-channels',
  text: `
    UPDATE member SET ${endFollowing}
    WHERE conversation_id = ANY($2) AND account = $1 AND status = 'reader' AND followed_at IS NOT NULL
    RETURNING conversation_id AS id`,
  parameters: { account: memberTable.account, channelIds: sql.arrayOf(memberTable.conversationId) },
  columns: { id: memberTable.conversationId },
});

/**
 * Makes accounts follow the channels that they read over REST without being members: the history, or conversations by
 * id.
 */
@Injectable()
export class Following {
  constructor(
    private readonly changeTransactions: ChangeTransactions,
    private readonly limits: FrameLimits,
  ) {}

  /**
   * Reads, and follows the channels found that the account may follow and does not follow yet. Then it reads again, to
   * include what happened between the first read and the subscription. Each channel costs as much as a change, since it
   * may unfollow another channel, which appends an entry to that one. An account that cannot pay for it now only reads.
   */
  async readAndFollow<Found>(
    account: string,
    read: () => Promise<{ found: Found; followable: readonly string[] }>,
  ): Promise<Found> {
    const { found, followable } = await read();
    if (followable.length === 0) return found;
    const channels = followable.slice(0, maxFollowed);
    const price = priceOfChange * channels.length;
    if (this.limits.affordableInMs(account, price) > 0) return found;
    this.limits.chargeAfterwards(account, price);
    await this.follow(account, channels);
    return (await read()).found;
  }

  private async follow(account: string, channels: readonly string[]): Promise<void> {
    await this.changeTransactions.make(undefined, async (client) => {
      const subscriptions = await beginFollowing(client, account, channels);
      return subscriptions.length === 0 ? [] : [{ account, events: [], subscriptions }];
    });
    await this.changeTransactions.make(undefined, (client) => unfollowOldest(client, account));
  }
}

async function beginFollowing(
  client: Queryable,
  account: string,
  channels: readonly string[],
): Promise<Subscription[]> {
  const rows = await followChannels.query(client, { account, channelIds: channels });
  return rows.map(({ conversation_id, joined_seq }) => ({
    conversation: conversation_id,
    from: Number(joined_seq) + 1,
  }));
}

/** Ends the subscriptions of an account beyond `maxFollowed`, each with an entry of the channel. */
async function unfollowOldest(client: Queryable, account: string): Promise<NewChange[]> {
  // Locks in a separate statement: a single one would use sequence numbers that it read before it waited for the lock
  // (ADR 7).
  const channels = await lockExcessFollowed.query(client, { account });
  if (channels.length === 0) return [];
  const unfollowed = await unfollowChannels.query(client, { account, channelIds: channels.map(({ id }) => id) });
  return unfollowed.map(({ id }) => ({ conversationId: id, events: [], leaves: [account] }));
}
