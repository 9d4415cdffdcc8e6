import { type Mention } from '@waggle/contracts';
import { type Queryable, sql, Statement } from '@waggle/service';
import { conversationTable } from './conversation.entity';
import { memberTable } from './member.entity';
import { everybody, mentionTable } from './mention.entity';
import { findMentionRanges } from './mention-ranges';

/** A text of an account in a conversation. */
interface WrittenText {
  conversationId: string;
  sender: string;
  content: string;
  /** The sender of the message that it replies to, who is mentioned as well. */
  repliedToSender?: string | undefined;
}

/** What a text mentions. */
export interface MentionsOfText {
  /** Undefined if there are none. */
  ranges: Mention[] | undefined;
  /** The accounts that `mention` has, and `everybody`. */
  accounts: string[];
}

/** The mentions of most texts. */
export const noMentions: MentionsOfText = { ranges: undefined, accounts: [] };

const mentionableAccounts = new Statement({
  name: 'mentionable-accounts',
  text: `
    SELECT wanted.position::int, coalesce(member.status = 'member', false) AS is_member,
           c.type <> 'dm' AND (member.account = c.creator OR member.made_moderator IS NOT NULL) IS TRUE AS moderates,
           -- Not EXISTS, for which the planner may scan a whole table.
           (SELECT true FROM block WHERE blocker = wanted.account AND blocked = wanted.sender) IS TRUE AS is_blocking
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS wanted (conversation_id, sender, account, position)
    CROSS JOIN LATERAL (SELECT type, creator FROM conversation WHERE id = wanted.conversation_id LIMIT 1) c
    LEFT JOIN LATERAL (
      SELECT account, status, made_moderator FROM member
      WHERE conversation_id = wanted.conversation_id AND account = wanted.account LIMIT 1
    ) member ON true
    WHERE member.status = 'member' OR (c.type = 'channel' AND member.status IS DISTINCT FROM 'banned')`,
  parameters: {
    conversationIds: sql.arrayOf(conversationTable.id),
    senders: sql.arrayOf(memberTable.account),
    accounts: sql.arrayOf(memberTable.account),
  },
  columns: {
    /** The position of the account among the wanted ones, from 1. */
    position: sql.notNull(sql.int4),
    is_member: sql.notNull(sql.bool),
    /** Whether it is the creator or a moderator of a group or channel. */
    moderates: sql.notNull(sql.bool),
    is_blocking: sql.notNull(sql.bool),
  },
});

/**
 * Finds what texts mention: members, in channels any account that was not removed from it, and everybody if the sender
 * moderates. It reads the database only for texts that may mention somebody.
 *
 * @returns in the given order
 */
export async function findMentions(client: Queryable, texts: readonly WrittenText[]): Promise<MentionsOfText[]> {
  const found = texts.map((text) => ({ text, ranges: findMentionRanges(text.content) }));
  const wanted = found.flatMap(({ text, ranges }) => {
    const named = ranges.map(({ username }) => username ?? text.sender);
    const accounts = new Set(text.repliedToSender === undefined ? named : [...named, text.repliedToSender]);
    return Array.from(accounts, (account) => ({ text, account }));
  });
  if (wanted.length === 0) return texts.map(() => noMentions);
  const rows = await mentionableAccounts.query(client, {
    conversationIds: wanted.map(({ text }) => text.conversationId),
    senders: wanted.map(({ text }) => text.sender),
    accounts: wanted.map(({ account }) => account),
  });
  const mentionable = new Map<WrittenText, Map<string, (typeof rows)[number]>>();
  for (const row of rows) {
    const each = wanted[row.position - 1];
    if (each === undefined) continue;
    const ofText = mentionable.get(each.text) ?? new Map<string, (typeof rows)[number]>();
    mentionable.set(each.text, ofText.set(each.account, row));
  }
  return found.map(({ text, ranges }) => {
    const accounts = mentionable.get(text);
    return accounts === undefined ? noMentions : mentionsOf(text, ranges, accounts);
  });
}

/** @param mentionable the accounts that the text may mention */
function mentionsOf(
  { content, sender, repliedToSender }: WrittenText,
  ranges: readonly Mention[],
  mentionable: ReadonlyMap<string, { is_member: boolean; moderates: boolean; is_blocking: boolean }>,
): MentionsOfText {
  const allowed = ranges.filter(({ username }) =>
    username === null ? mentionable.get(sender)?.moderates : mentionable.has(username),
  );
  const mentionsAll = allowed.some(
    ({ username, offset, length }) =>
      username === null && content.slice(offset, offset + length).toLowerCase() === '@all',
  );
  const names = new Set(allowed.flatMap(({ username }) => username ?? []));
  if (repliedToSender !== undefined) names.add(repliedToSender);
  names.delete(sender);
  const accounts = [...names].filter((name) => {
    const account = mentionable.get(name);
    // With a row of its own, a member that @all covers would count the message twice.
    return account !== undefined && !account.is_blocking && !(mentionsAll && account.is_member);
  });
  return {
    ranges: allowed.length === 0 ? undefined : allowed,
    accounts: mentionsAll ? [...accounts, everybody] : accounts,
  };
}

const removeMentions = new Statement({
  name: 'remove-mentions',
  text: 'DELETE FROM mention WHERE conversation_id = $1 AND message_seq = $2 AND account <> ALL($3)',
  parameters: {
    conversationId: mentionTable.conversationId,
    messageSeq: mentionTable.messageSeq,
    except: sql.arrayOf(mentionTable.account),
  },
  columns: {},
});

const addMentions = new Statement({
  name: 'add-mentions',
  text: `
    INSERT INTO mention (account, conversation_id, seq, message_seq, sender, at)
    -- The entry of the change gets the next sequence number.
    SELECT account, $1, (SELECT last_seq + 1 FROM conversation WHERE id = $1), $2, $3, clock_timestamp()
    FROM unnest($4::text[]) AS added (account)
    WHERE account <> ALL(ARRAY(SELECT account FROM mention WHERE conversation_id = $1 AND message_seq = $2))`,
  parameters: {
    conversationId: mentionTable.conversationId,
    messageSeq: mentionTable.messageSeq,
    sender: mentionTable.sender,
    accounts: sql.arrayOf(mentionTable.account),
  },
  columns: {},
});

/**
 * Replaces who a message mentions. New mentions are unread until the next entry of the conversation is read.
 * @param client has locked the conversation
 */
export async function replaceMentions(
  client: Queryable,
  message: { conversationId: string; messageSeq: string; sender: string },
  accounts: readonly string[],
): Promise<void> {
  await removeMentions.execute(client, { ...message, except: accounts });
  if (accounts.length > 0) await addMentions.execute(client, { ...message, accounts });
}
