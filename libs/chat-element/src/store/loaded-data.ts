import type { ChatState } from '@waggle/client/browser';
import type { ChatData } from './chat-data';
import { fetchedConversation, removeConversation } from './conversation-changes';

/** The data after everything was fetched. Messages that are not stored yet and what is ephemeral stay. */
export function loadedData(data: ChatData, state: ChatState): ChatData {
  const { friends, friendRequests, settings } = state;
  const fetched = [...state.followed, ...state.conversations];
  const ids = new Set(fetched.map(({ id }) => id));
  const removed = [...data.conversations.keys()].filter((id) => !ids.has(id));
  const { former } = removed.reduce(removeConversation, data);
  return {
    ...data,
    conversations: new Map(
      fetched.map((conversation) => [
        conversation.id,
        // Events up to here are not delivered again.
        {
          ...fetchedConversation(conversation, data.conversations.get(conversation.id)),
          lastSeq: conversation.last_seq,
        },
      ]),
    ),
    windows: new Map(),
    pins: new Map(),
    receipts: new Map(),
    former: new Map([...former].filter(([id]) => !ids.has(id))),
    people: {
      friends: friends.friends,
      blocked: friends.blocked,
      requests: friendRequests,
      sentRequests: data.people.sentRequests,
    },
    settings,
  };
}
