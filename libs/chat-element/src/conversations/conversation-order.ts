import type { ConversationData } from '../store/chat-data';

/** Most recently active first. */
export function sortedConversations(conversations: ReadonlyMap<string, ConversationData>): ConversationData[] {
  return [...conversations.values()].sort((a, b) => Date.parse(activityOf(b)) - Date.parse(activityOf(a)));
}

function activityOf({ lastMessage, created_at }: ConversationData): string {
  return lastMessage?.timestamp ?? created_at;
}
