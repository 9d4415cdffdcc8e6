// What the service gives over REST and in frames. A specification proves these types to be those of the contract.

/** `dm`: between two. `group`: by invitation. `channel`: open to all. */
export type ConversationType = 'dm' | 'group' | 'channel';

/** A conversation as one of its members sees it. Times are ISO 8601, UTC, with milliseconds. */
export interface Conversation {
  id: string;
  type: ConversationType;
  /** On channels, and on groups that were renamed. */
  name?: string | undefined;
  creator: string;
  /**
   * The accounts that were listed at the creation, then the creator, then those that joined later; in a dm the other account,
   * then the creator. Of a channel the first 250 and this account, and in events only the creator and the account that was
   * added or joined: `ChatApi.members` has all.
   */
  members: string[];
  moderators: string[];
  /** In a dm: whether either of the two blocks the other. */
  blocked: boolean;
  created_at: string;
  updated_at: string;
}

/** A message that the caller has not acknowledged. */
export interface UnreadMessage {
  id: string;
  conversation_id: string;
  from: string;
  /** The recipient in a dm, null elsewhere. */
  to: string | null;
  content: string;
  timestamp: string;
}

export interface Message extends UnreadMessage {
  /** In a dm: its recipient has acknowledged it. Elsewhere: the caller has, or wrote it. */
  read: boolean;
}

/** A message with its place in the stream of its conversation. */
export interface PlacedMessage extends Message {
  seq: number;
}

export interface PlacedUnreadMessage extends UnreadMessage {
  seq: number;
}

/** A conversation with what a list of conversations shows. */
export interface ExtendedConversation extends Conversation {
  /** Place of the conversation's last frame: frames up to it are contained in what was fetched. */
  last_seq: number;
  /** Unread messages of others; counted up to 1,000. */
  unread_count: number;
  last_message: Message | null;
}

export interface FriendRequest {
  id: string;
  /** Who asks for the friendship. */
  username: string;
}

export interface FriendsList {
  friends: string[];
  /** Whom the caller blocks. */
  blocked: string[];
}

export interface Settings {
  dm: { only_from_friends: boolean };
}

export interface CreatedChannel {
  id: string;
  name: string;
  creator: string;
}

/** One of the caller's own sessions. */
export interface SessionInfo {
  id: string;
  /** The User-Agent of its log-in. */
  browser: string | null;
  ip: string | null;
  city: null;
  country: null;
  created_at: string;
  /** Whether it is the session that asks. */
  current: boolean;
}

/** Answer to a log-in. */
export interface LoginAnswer {
  username: string;
  admin: boolean;
  ws_token: string;
  token: string;
  refresh_token: string;
  expires_at: string;
}

/** Answer to a renewal. */
export interface RenewalAnswer {
  username: string;
  ws_token: string;
  token: string;
}
