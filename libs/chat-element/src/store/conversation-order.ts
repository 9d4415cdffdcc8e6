import type { ConversationData } from './chat-data';

/** Most recently active first. */
export function sortedConversations(conversations: ReadonlyMap<string, ConversationData>): ConversationData[] {
  return [...conversations.values()].sort((one, other) => compareDescending(activityOf(one), activityOf(other)));
}

function compareDescending(one: string, other: string): number {
  return one === other ? 0 : one < other ? 1 : -1;
}

function activityOf({ lastMessage, created_at }: ConversationData): string {
  return lastMessage?.timestamp ?? created_at;
}
