/*
 * SQL for the subscriptions of an account, `$1`. `member` has only the newest subscription of each conversation. When
 * an earlier one ended is in the entries of the conversation (`leaves`), and when it began in those of the account's
 * own stream (`subscriptions`).
 *
 * A statement that uses the last two declares the CTEs `ended` (stream, seq), the entries of conversations with which
 * the account left, and `begun`.
 */

/** SQL: whether a row of `member` (by that name) is a subscription: of a member, or of a follower of a channel. */
export const subscribedCondition = `(member.status = 'member' OR (member.status = 'reader' AND member.followed_at IS NOT NULL))`;

/** `begun` (stream, seq): the first entry of each subscription; no rows if `ended` has none. */
export const begunSubscriptions = `
      SELECT conversation AS stream, "from" AS seq
      FROM event CROSS JOIN LATERAL jsonb_to_recordset(subscriptions) AS subscription (conversation text, "from" bigint)
      WHERE event.stream = $1 AND EXISTS (SELECT FROM ended)
    `;

/**
 * The first and last entry of each subscription in `ended`. It began with the last entry of `begun` before its end, or
 * with the conversation.
 */
export const endedSubscriptions = `
      SELECT stream, coalesce(begun_at, 1) AS first, seq AS last
      FROM (
        SELECT stream, seq, has_ended, max(CASE WHEN NOT has_ended THEN seq END) OVER (PARTITION BY stream ORDER BY seq, has_ended) AS begun_at
        FROM (SELECT *, true AS has_ended FROM ended UNION ALL SELECT *, false FROM begun) changes
      ) changes
      WHERE has_ended
    `;
