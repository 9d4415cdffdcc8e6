import type { ConversationData } from '../store/chat-data';

/** Most recently active first. */
export function sortedConversations(conversations: ReadonlyMap<string, ConversationData>): ConversationData[] {
  return [...conversations.values()].sort((a, b) => (activityOf(a) < activityOf(b) ? 1 : -1));
}

function activityOf({ lastMessage, created_at }: ConversationData): string {
  return lastMessage?.timestamp ?? created_at;
}
