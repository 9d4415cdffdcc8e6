import type {
  ExtendedConversation,
  FriendRequest,
  FriendsList,
  UnreadMessageWithSeq,
  Settings,
} from '../protocol/contract';
import type { ChatApi } from './chat-api';

export interface StateOptions {
  /** Ids of channels that the account follows without being a member, which no list contains. At most 200. */
  followed?: readonly string[];
  /** Whether to fetch the unread messages, and not only their number in `conversations`; true by default. */
  unread?: boolean;
}

/** What a client shows at its start. */
export interface ChatState {
  conversations: ExtendedConversation[];
  /** The requested channels that exist. */
  followed: ExtendedConversation[];
  /**
   * Unread messages, if they were requested, of these conversations up to their `last_seq`; later ones are delivered as
   * events.
   */
  unread: UnreadMessageWithSeq[];
  friends: FriendsList;
  friendRequests: FriendRequest[];
  settings: Settings;
}

/** Fetches what a client shows at its start: first the conversations, then the rest. @throws as methods of `ChatApi` */
export async function fetchState(
  api: ChatApi,
  { followed: followedIds = [], unread: isUnreadRequested = true }: StateOptions = {},
): Promise<ChatState> {
  const extended = { extended: true } as const;
  const [conversations, followed] = await Promise.all([
    api.conversations(extended),
    api.conversationsById(followedIds, extended),
  ]);
  // After the conversations: events up to their `last_seq` are dropped, so the unread messages must reach it.
  const [unread, friends, friendRequests, settings] = await Promise.all([
    isUnreadRequested ? api.unread(extended) : [],
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
