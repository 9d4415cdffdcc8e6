import type { Mention, RichMessage } from '@waggle/client/browser';
import type { ChatData, ConversationData } from './chat-data';

/**
 * Whether the service counts a message as a mention of the account: it names the account or, for members, `@all`, or
 * replies to a message of it. `@here` is for those who are online, and is not counted; nor is what a blocked account
 * writes.
 */
export function countsAsMention(
  { from, content, mentions = [], reply_to }: Pick<RichMessage, 'from' | 'content' | 'mentions' | 'reply_to'>,
  { account, people }: Pick<ChatData, 'account' | 'people'>,
  { members }: Pick<ConversationData, 'members'>,
): boolean {
  if (from === account || people.blocked.includes(from)) return false;
  const isOfAll = ({ offset, length }: Mention): boolean =>
    members.includes(account) && content.slice(offset, offset + length).toLowerCase() === '@all';
  return (
    reply_to?.from === account ||
    mentions.some((each) => (each.username === null ? isOfAll(each) : each.username === account))
  );
}

/** The number of unread mentions, as the service counts them: a dm that is not muted is for the account anyway. */
export function unreadMentions(conversations: ReadonlyMap<string, ConversationData>): number {
  return [...conversations.values()]
    .filter(({ type, muted }) => type !== 'dm' || muted)
    .reduce((sum, { mentionCount }) => sum + mentionCount, 0);
}
