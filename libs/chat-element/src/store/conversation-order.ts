import type { ConversationData } from './chat-data';

/** Favourites first, then the most recently active. */
export function sortedConversations(conversations: ReadonlyMap<string, ConversationData>): ConversationData[] {
  return [...conversations.values()].sort(
    (one, other) =>
      Number(other.favourite) - Number(one.favourite) || compareDescending(activityOf(one), activityOf(other)),
  );
}

function compareDescending(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? 1 : -1;
}

function activityOf({ lastMessage, created_at }: ConversationData): string {
  return lastMessage?.timestamp ?? created_at;
}
