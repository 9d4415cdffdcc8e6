import type { ChatApi } from './chat-api';
import type { ResumeFailure } from './frames';
import type { ExtendedConversation, FriendRequest, FriendsList, PlacedUnreadMessage, Settings } from './resources';

/** `unsupported`: the service does not know how to resume. */
export type LostReason = ResumeFailure | 'unsupported';

/** What a client shows at its start. */
export interface ChatState {
  conversations: ExtendedConversation[];
  unread: PlacedUnreadMessage[];
  friends: FriendsList;
  friendRequests: FriendRequest[];
  settings: Settings;
}

export async function fetchState(api: ChatApi): Promise<ChatState> {
  const extended = { extended: true } as const;
  const [conversations, unread, friends, friendRequests, settings] = await Promise.all([
    api.conversations(extended),
    api.unread(extended),
    api.friends(),
    api.friendRequests(),
    api.settings(),
  ]);
  return { conversations, unread, friends, friendRequests, settings };
}
