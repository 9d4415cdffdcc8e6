import type { ChatApi } from './chat-api';
import type { ResumeFailure } from './frames';
import type { ExtendedConversation, FriendRequest, FriendsList, PlacedUnreadMessage, Settings } from './resources';

/** `unsupported`: the service does not know how to resume. */
export type LostReason = ResumeFailure | 'unsupported';

export interface StateOptions {
  /** Ids of channels that are heard though the account is no member: no list has them. At most 200. */
  followed?: readonly string[];
}

/** What a client shows at its start. */
export interface ChatState {
  /** Those of the account. */
  conversations: ExtendedConversation[];
  /** The channels that were asked for besides, without those that are not there. */
  followed: ExtendedConversation[];
  /** Of these conversations; what lies beyond their `last_seq` is left out, since it is told as an event. */
  unread: PlacedUnreadMessage[];
  friends: FriendsList;
  friendRequests: FriendRequest[];
  settings: Settings;
}

export async function fetchState(api: ChatApi, { followed: followedIds = [] }: StateOptions = {}): Promise<ChatState> {
  const extended = { extended: true } as const;
  const [conversations, followed] = await Promise.all([
    api.conversations(extended),
    api.conversationsById(followedIds, extended),
  ]);
  // Only now: of what a conversation has up to its last_seq nothing is told, so what is unread of that must be here.
  const [unread, friends, friendRequests, settings] = await Promise.all([
    api.unread(extended),
    api.friends(),
    api.friendRequests(),
    api.settings(),
  ]);
  const lastSeqs = new Map([...followed, ...conversations].map(({ id, last_seq }) => [id, last_seq]));
  return {
    conversations,
    followed,
    unread: unread.filter(({ conversation_id, seq }) => seq <= (lastSeqs.get(conversation_id) ?? -1)),
    friends,
    friendRequests,
    settings,
  };
}
