import { sql, Statement } from '@waggle/service';
import { subscribedCondition } from '../log/subscription-ranges';
import { conversationTable } from '../log/conversation.entity';
import { memberTable } from '../log/member.entity';

const memberParameters = { conversationId: memberTable.conversationId, account: memberTable.account };

/** SQL: whether an account left of its own accord; false for members, and for accounts that never were members. */
const hasLeft = 'coalesce(member.left_voluntarily, false)';

/**
 * SQL: the SET list that ends the subscription of a follower. The next entry is the last one that it receives, so the
 * caller holds the lock of the channel. Unfollowing is not leaving: `left_voluntarily` stays.
 */
export const endFollowing = `
  followed_at = NULL, muted = false, favourite = false, left_at = clock_timestamp(), left_voluntarily = ${hasLeft},
  left_seq = (SELECT last_seq + 1 FROM conversation WHERE id = member.conversation_id)`;

/** Locks a conversation against changes and new messages until the transaction ends. */
export const lockConversation = new Statement({
  name: 'lock-conversation',
  text: 'SELECT type, creator FROM conversation WHERE id = $1 FOR NO KEY UPDATE',
  parameters: { id: conversationTable.id },
  columns: { type: conversationTable.type, creator: conversationTable.creator },
});

/** Returns what a conversation stores of an account: no row if it never was a member, follower or reader. */
export const memberOfConversation = new Statement({
  name: 'member-of-conversation',
  text: `
    SELECT status, made_moderator IS NOT NULL AS is_moderator, ${hasLeft} AS has_left, ${subscribedCondition} AS is_subscribed
    FROM member
    WHERE conversation_id = $1 AND account = $2`,
  parameters: memberParameters,
  columns: {
    status: memberTable.status,
    /** Whether it is an appointed moderator. Admins have the same rights without it. */
    is_moderator: sql.notNull(sql.bool),
    /** Whether it left, even if a moderator removed it afterwards. */
    has_left: sql.notNull(sql.bool),
    /** Whether it receives the conversation's entries, as a member or as a follower of the channel. */
    is_subscribed: sql.notNull(sql.bool),
  },
});

/** Returns the members in the order they joined. */
export const currentMembers = new Statement({
  name: 'current-members',
  text: `SELECT account FROM member WHERE conversation_id = $1 AND status = 'member' ORDER BY joined`,
  parameters: { conversationId: memberTable.conversationId },
  columns: { account: memberTable.account },
});

export const renameConversation = new Statement({
  name: 'rename-conversation',
  text: 'UPDATE conversation SET name = $2 WHERE id = $1',
  parameters: { id: conversationTable.id, name: sql.notNull(conversationTable.name) },
  columns: {},
});

/**
 * Makes an account a member that has read everything so far. A follower keeps the subscription that it has, and with it
 * its `joined_seq`.
 */
export const addMember = new Statement({
  name: 'add-member',
  text: `
    INSERT INTO member (conversation_id, account, acknowledged_seq, joined_seq)
    SELECT id, $2, last_seq, last_seq FROM conversation WHERE id = $1
    ON CONFLICT (conversation_id, account) DO UPDATE
      SET status = 'member', joined = excluded.joined, acknowledged_seq = excluded.acknowledged_seq,
          joined_seq = CASE WHEN member.status = 'reader' AND member.followed_at IS NOT NULL
                            THEN member.joined_seq ELSE excluded.joined_seq END,
          left_seq = NULL, left_voluntarily = NULL, followed_at = NULL -- left_at stays: it dates the latest leave.
    -- The subquery sees the row as it was before.
    RETURNING NOT coalesce(
      (SELECT ${subscribedCondition} FROM member WHERE conversation_id = $1 AND account = $2), false
    ) AS begins_subscription`,
  parameters: memberParameters,
  columns: { begins_subscription: sql.notNull(sql.bool) },
});

/**
 * Ends the membership and the subscription. The next entry is the last one that the account receives, if it was
 * subscribed.
 */
export const endMembership = new Statement({
  name: 'end-membership',
  text: `
    INSERT INTO member (conversation_id, account, status, left_voluntarily) VALUES ($1, $2, $3, $4)
    ON CONFLICT (conversation_id, account) DO UPDATE
      SET status = excluded.status, made_moderator = NULL, followed_at = NULL, muted = false, favourite = false,
          left_seq = CASE WHEN ${subscribedCondition} THEN (SELECT last_seq + 1 FROM conversation WHERE id = $1) ELSE member.left_seq END,
          left_at = CASE WHEN ${subscribedCondition} THEN clock_timestamp() ELSE member.left_at END,
          left_voluntarily = CASE member.status WHEN 'member' THEN excluded.left_voluntarily ELSE ${hasLeft} END
    -- The left_seq of an earlier subscription is not greater than last_seq.
    RETURNING coalesce(left_seq > (SELECT last_seq FROM conversation WHERE id = $1), false) AS was_subscribed`,
  parameters: {
    ...memberParameters,
    status: memberTable.status,
    isVoluntary: sql.notNull(memberTable.leftVoluntarily),
  },
  columns: { was_subscribed: sql.notNull(sql.bool) },
});

/** Makes the moderator who was appointed first the creator, or the member who joined first if there is none. */
export const appointSuccessor = new Statement({
  name: 'appoint-successor',
  text: `
    UPDATE conversation SET creator = successor.account
    FROM (SELECT coalesce(
            (SELECT account FROM member WHERE conversation_id = $1 AND status = 'member' AND made_moderator IS NOT NULL
             ORDER BY made_moderator LIMIT 1),
            (SELECT account FROM member WHERE conversation_id = $1 AND status = 'member' ORDER BY joined LIMIT 1)
          ) AS account) successor
    WHERE id = $1 AND successor.account IS NOT NULL`,
  parameters: { id: conversationTable.id },
  columns: {},
});

/** Ends the subscription of a follower who is not a member. */
export const unfollowChannel = new Statement({
  name: 'unfollow-channel',
  text: `
    UPDATE member SET ${endFollowing}
    WHERE conversation_id = $1 AND account = $2 AND status = 'reader' AND followed_at IS NOT NULL`,
  parameters: memberParameters,
  columns: {},
});

/** Sets the preferences that are not null. Returns all of them, and whether any changed. */
export const setPreferences = new Statement({
  name: 'set-preferences',
  // An account that only reads the channel may have no row.
  text: `
    WITH before AS (SELECT muted, favourite FROM member WHERE conversation_id = $1 AND account = $2)
    INSERT INTO member (conversation_id, account, status, muted, favourite)
    VALUES ($1, $2, 'reader', coalesce($3, false), coalesce($4, false))
    ON CONFLICT (conversation_id, account) DO UPDATE
      SET muted = coalesce($3, member.muted), favourite = coalesce($4, member.favourite)
    RETURNING muted, favourite,
      (muted, favourite) IS DISTINCT FROM (
        coalesce((SELECT muted FROM before), false), coalesce((SELECT favourite FROM before), false)
      ) AS is_changed`,
  parameters: { ...memberParameters, muted: sql.nullable(sql.bool), favourite: sql.nullable(sql.bool) },
  columns: { muted: memberTable.muted, favourite: memberTable.favourite, is_changed: sql.notNull(sql.bool) },
});

export const hideDm = new Statement({
  name: 'hide-dm',
  text: 'UPDATE member SET hidden = true WHERE conversation_id = $1 AND account = $2',
  parameters: memberParameters,
  columns: {},
});

/** Shows a dm to the accounts that hid it, and returns these. */
export const showDm = new Statement({
  name: 'show-dm',
  text: `
    -- Locks rows in the same order as acknowledge, so that they do not deadlock.
    WITH locked AS MATERIALIZED (
      SELECT account FROM member WHERE conversation_id = $1 AND hidden ORDER BY account COLLATE "C" FOR NO KEY UPDATE
    )
    UPDATE member SET hidden = false FROM locked
    WHERE conversation_id = $1 AND member.account = locked.account RETURNING member.account`,
  parameters: { conversationId: memberTable.conversationId },
  columns: { account: memberTable.account },
});

/** Appoints a member after all other moderators, or dismisses it. */
export const setModerator = new Statement({
  name: 'set-moderator',
  text: `
    UPDATE member SET made_moderator = CASE WHEN $3 THEN nextval('member_order') END
    WHERE conversation_id = $1 AND account = $2`,
  parameters: { ...memberParameters, isModerator: sql.bool },
  columns: {},
});
