import { sortedConversations } from '../store/conversation-order';
import type { ChatData } from '../store/chat-data';

/** Friends, and others with whom the account has a dm or a group, the most recent first; without blocked ones. */
export function knownPeople({ account, conversations, people }: ChatData): { friends: string[]; others: string[] } {
  const others = sortedConversations(conversations).flatMap(({ type, members }) => (type === 'channel' ? [] : members));
  const excluded = new Set([account, ...people.friends, ...people.blocked]);
  return { friends: [...people.friends], others: [...new Set(others)].filter((name) => !excluded.has(name)) };
}
