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

/** A text whose mentions are being found. */
interface MarkedText extends WrittenText {
  /** The ranges that look like mentions. */
  ranges: readonly Mention[];
  /** The accounts that the text may mention, by name. */
  mentionable: Map<string, { is_member: boolean; moderates: boolean; is_blocking: boolean }>;
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

/** Returns a row for each of the given accounts that the text of its sender may mention in the conversation. */
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
  const marked = texts.map((text): MarkedText => ({
    ...text,
    ranges: findMentionRanges(text.content),
    mentionable: new Map(),
  }));
  await readMentionable(client, marked);
  return marked.map((text) => (text.mentionable.size === 0 ? noMentions : mentionsOf(text)));
}

/** Reads which of the accounts that texts name they may mention, and the senders of texts with `@all` or `@here`. */
async function readMentionable(client: Queryable, texts: readonly MarkedText[]): Promise<void> {
  const wanted = texts.flatMap((text) => {
    const named = text.ranges.map(({ username }) => username ?? text.sender);
    const accounts = new Set(text.repliedToSender === undefined ? named : [...named, text.repliedToSender]);
    return Array.from(accounts, (account) => ({ text, account }));
  });
  if (wanted.length === 0) return;
  const rows = await mentionableAccounts.query(client, {
    conversationIds: wanted.map(({ text }) => text.conversationId),
    senders: wanted.map(({ text }) => text.sender),
    accounts: wanted.map(({ account }) => account),
  });
  for (const row of rows) {
    const each = wanted[row.position - 1];
    each?.text.mentionable.set(each.account, row);
  }
}

function mentionsOf({ content, sender, repliedToSender, ranges, mentionable }: MarkedText): MentionsOfText {
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

/** Removes the mentions of a message, except mentions of the given accounts. */
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

/** Adds mentions of the given accounts to a message, as far as it does not have them. */
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
