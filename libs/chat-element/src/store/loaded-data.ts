import type { ChatState } from '@waggle/client/browser';
import type { ChatData } from './chat-data';
import { fetchedConversation } from './conversation-changes';

/** The data after everything was fetched. Messages that are not stored yet and what is ephemeral stay. */
export function loadedData(data: ChatData, state: ChatState): ChatData {
  const { friends, friendRequests, settings } = state;
  return {
    ...data,
    conversations: new Map(
      [...state.followed, ...state.conversations].map((conversation) => [
        conversation.id,
        // Events up to here are not delivered again.
        {
          ...fetchedConversation(conversation, data.conversations.get(conversation.id)),
          lastSeq: conversation.last_seq,
        },
      ]),
    ),
    windows: new Map(),
    people: {
      friends: friends.friends,
      blocked: friends.blocked,
      requests: friendRequests,
      sentRequests: data.people.sentRequests,
    },
    settings,
  };
}
