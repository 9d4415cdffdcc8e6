/** What a chat deployment may set differently. Characters are Unicode code points. */
export interface ChatLimits {
  /** Longest message text, in characters. */
  messageCharacters: number;
  /** Longest name of a group or channel, in characters. */
  nameCharacters: number;
  /** Most members of a group, its creator included. */
  groupMembers: number;
  /** Largest WebSocket frame that a client may send, in bytes. */
  frameBytes: number;
}

export const defaultChatLimits: ChatLimits = {
  messageCharacters: 4_000,
  nameCharacters: 64,
  groupMembers: 250,
  frameBytes: 64 * 1024,
};

/** Page size of `GET /messages/chats`, in messages. */
export const historyPage = { default: 50, max: 200 } as const;

/** Most messages in one answer of `GET /messages/new`. */
export const maxUnreadMessages = 1_000;

/** How long before the end of an authentication the server sends `reauthentication-required`, in milliseconds. */
export const reauthenticationNoticeMs = 60_000;

/** Most conversations in one answer of `GET /messages/conversations` and `GET /users/channels`. */
export const maxConversations = 1_000;

/** Most members and moderators of a channel in a conversation object over REST, apart from the caller: as many as a group has. */
export const maxListedMembers = 250;

/** Most accounts in one page of `GET /messages/members`. */
export const maxMembersPage = 10_000;
