// Generated from @waggle/contracts by `npx nx run client:generate`.

import { type Guard, isAbsentOr, isBoolean, isEither, isListOf, isNull, isNumber, isShape, isString } from './guards';

export const capabilities = ['sync', 'client-id', 'receipts', 'read-position', 'typing', 'presence', 'rich'] as const;

export type Capability = (typeof capabilities)[number];

/** The codes with which the service closes a connection. */
export const closeCodes = {
  tooManyMalformedFrames: 4002,
  notAuthenticatedInTime: 4003,
  authenticationFailed: 4004,
  rateLimited: 4008,
  authenticationExpired: 4009,
  sessionRevoked: 4020,
  consumerTooSlow: 4021,
  frameTooLarge: 1009,
  draining: 1012,
  unavailable: 1013,
} as const;

/** A file that a message refers to. The service has not fetched it: nothing here is checked but its form. */
export interface Attachment {
  /** HTTPS URL on a host that the operator allowed when the message was sent. */
  url: string;
  /** Name of the file; describes an image. */
  name: string;
  /** Size of the file. */
  bytes: number;
  /** In pixels. Images have it. */
  width?: number | undefined;
  /** In pixels. Images have it. */
  height?: number | undefined;
  /** Of the file, in hex. */
  sha256?: string | undefined;
  /** BlurHash of an image, to show before it is loaded. */
  blurhash?: string | undefined;
  /** Media type, such as `image/png`. */
  media_type: string;
}

export const isAttachment = isShape<Attachment>({
  url: isString,
  name: isString,
  bytes: isNumber,
  width: isAbsentOr(isNumber),
  height: isAbsentOr(isNumber),
  sha256: isAbsentOr(isString),
  blurhash: isAbsentOr(isString),
  media_type: isString,
});

/** The message that a message replies to. */
export interface Quote {
  id: string;
  /** The sender. */
  from: string;
  /** The first 140 Unicode code points of the text; null if the message was deleted. */
  content: string | null;
}

export const isQuote = isShape<Quote>({ id: isString, from: isString, content: isEither(isString, isNull) });

/** A mention in the text of a message. */
export interface Mention {
  /** Where it begins in the text, in UTF-16 code units. */
  offset: number;
  /** In UTF-16 code units, with the @. */
  length: number;
  /** The account; null for `@all` and `@here` of a moderator. */
  username: string | null;
}

export const isMention = isShape<Mention>({ offset: isNumber, length: isNumber, username: isEither(isString, isNull) });

/** How many accounts have reacted to a message with an emoji. */
export interface ReactionCount {
  /** One emoji. */
  emoji: string;
  count: number;
}

export const isReactionCount = isShape<ReactionCount>({ emoji: isString, count: isNumber });

/** The reactions to a message with one emoji, as the caller sees them. */
export interface Reaction {
  /** One emoji. */
  emoji: string;
  count: number;
  /** Whether the caller is one of these accounts. */
  own: boolean;
}

export const isReaction = isShape<Reaction>({ emoji: isString, count: isNumber, own: isBoolean });

/** A message. */
export interface Message {
  id: string;
  conversation_id: string;
  /** The sender. */
  from: string;
  /** The recipient in a dm, otherwise null. */
  to: string | null;
  /** The text of the message. */
  content: string;
  /** ISO 8601 UTC with milliseconds. */
  timestamp: string;
  /** In a dm: its recipient has acknowledged it. Otherwise: the caller has acknowledged or sent it. */
  read: boolean;
}

export const isMessage = isShape<Message>({
  id: isString,
  conversation_id: isString,
  from: isString,
  to: isEither(isString, isNull),
  content: isString,
  timestamp: isString,
  read: isBoolean,
});

/** A message; only connections with the capability `rich` receive the optional fields. */
export interface RichMessage {
  id: string;
  conversation_id: string;
  /** The sender. */
  from: string;
  /** The recipient in a dm, otherwise null. */
  to: string | null;
  /** The text of the message. */
  content: string;
  /** ISO 8601 UTC with milliseconds. */
  timestamp: string;
  /** In a dm: its recipient has acknowledged it. Otherwise: the caller has acknowledged or sent it. */
  read: boolean;
  /** The quoted message; absent if this is no reply, or retention removed the message. */
  reply_to?: Quote | undefined;
  /** Of an edited message: how often it was edited. */
  revision?: number | undefined;
  /** Of an edited message: when it was edited last. */
  edited_at?: string | undefined;
  /** The files that the message refers to; `content` ends with their URLs, one per line. */
  attachments?: Attachment[] | undefined;
  /** The mentions in the text, in its order: at most 50, of 20 accounts. */
  mentions?: Mention[] | undefined;
}

export const isRichMessage = isShape<RichMessage>({
  id: isString,
  conversation_id: isString,
  from: isString,
  to: isEither(isString, isNull),
  content: isString,
  timestamp: isString,
  read: isBoolean,
  reply_to: isAbsentOr(isQuote),
  revision: isAbsentOr(isNumber),
  edited_at: isAbsentOr(isString),
  attachments: isAbsentOr(isListOf(isAttachment)),
  mentions: isAbsentOr(isListOf(isMention)),
});

/** A former text of an edited message, and when it was written. */
export interface MessageRevision {
  /** 0 is the first text. */
  revision: number;
  content: string;
  /** ISO 8601 UTC with milliseconds. */
  timestamp: string;
}

export const isMessageRevision = isShape<MessageRevision>({
  revision: isNumber,
  content: isString,
  timestamp: isString,
});

/** A pinned message, who pinned it and when. */
export interface Pin {
  /** The message. */
  id: string;
  /** Sequence number in the stream of the conversation. */
  seq: number;
  /** The sender of the message. */
  from: string;
  /** Its first 140 characters. */
  content: string;
  /** When the message was sent. */
  timestamp: string;
  pinned_by: string;
  /** ISO 8601 UTC with milliseconds. */
  pinned_at: string;
}

export const isPin = isShape<Pin>({
  id: isString,
  seq: isNumber,
  from: isString,
  content: isString,
  timestamp: isString,
  pinned_by: isString,
  pinned_at: isString,
});

/** A message that mentions the caller or replies to a message of it. */
export interface MentioningMessage {
  id: string;
  conversation_id: string;
  /** The sender. */
  from: string;
  /** The recipient in a dm, otherwise null. */
  to: string | null;
  /** The text of the message. */
  content: string;
  /** ISO 8601 UTC with milliseconds. */
  timestamp: string;
  /** Sequence number in the stream of the conversation. */
  seq: number;
  /** The quoted message; absent if this is no reply, or retention removed the message. */
  reply_to?: Quote | undefined;
  /** Of an edited message: how often it was edited. */
  revision?: number | undefined;
  /** Of an edited message: when it was edited last. */
  edited_at?: string | undefined;
  /** The files that the message refers to; `content` ends with their URLs, one per line. */
  attachments?: Attachment[] | undefined;
  /** The mentions in the text, in its order: at most 50, of 20 accounts. */
  mentions?: Mention[] | undefined;
  /** The message or edit with the mention: it is read when this is acknowledged. */
  mention_seq: number;
  /** Whether the caller has not acknowledged the mention. */
  unread: boolean;
}

export const isMentioningMessage = isShape<MentioningMessage>({
  id: isString,
  conversation_id: isString,
  from: isString,
  to: isEither(isString, isNull),
  content: isString,
  timestamp: isString,
  seq: isNumber,
  reply_to: isAbsentOr(isQuote),
  revision: isAbsentOr(isNumber),
  edited_at: isAbsentOr(isString),
  attachments: isAbsentOr(isListOf(isAttachment)),
  mentions: isAbsentOr(isListOf(isMention)),
  mention_seq: isNumber,
  unread: isBoolean,
});

/** Unread messages of others, of each conversation at most 1,000. */
export interface UnreadCounts {
  /** Unread messages in dms that are not muted. */
  direct_messages: number;
  /** Unread mentions, and replies to messages of the caller, in groups, channels and muted dms. */
  mentions: number;
  /** Unread messages in groups and channels that are not muted, also those with mentions. */
  group_messages: number;
}

export const isUnreadCounts = isShape<UnreadCounts>({
  direct_messages: isNumber,
  mentions: isNumber,
  group_messages: isNumber,
});

/** How far a member has read a group. */
export interface Receipt {
  username: string;
  /** It has read everything up to this sequence number; 0 if nothing. */
  seq: number;
}

export const isReceipt = isShape<Receipt>({ username: isString, seq: isNumber });

/** A text that an account has not sent yet. */
export interface Draft {
  conversation_id: string;
  text: string;
  /** The message that it replies to, unless retention removed that. */
  reply_to?: Quote | undefined;
  /** When it was changed: the later change wins. */
  updated_at: string;
}

export const isDraft = isShape<Draft>({
  conversation_id: isString,
  text: isString,
  reply_to: isAbsentOr(isQuote),
  updated_at: isString,
});

/** A message with its sequence number. */
export interface MessageWithSeq {
  id: string;
  conversation_id: string;
  /** The sender. */
  from: string;
  /** The recipient in a dm, otherwise null. */
  to: string | null;
  /** The text of the message. */
  content: string;
  /** ISO 8601 UTC with milliseconds. */
  timestamp: string;
  /** In a dm: its recipient has acknowledged it. Otherwise: the caller has acknowledged or sent it. */
  read: boolean;
  /** Sequence number in the stream of the conversation. */
  seq: number;
  /** The quoted message; absent if this is no reply, or retention removed the message. */
  reply_to?: Quote | undefined;
  /** Of an edited message: how often it was edited. */
  revision?: number | undefined;
  /** Of an edited message: when it was edited last. */
  edited_at?: string | undefined;
  /** The files that the message refers to; `content` ends with their URLs, one per line. */
  attachments?: Attachment[] | undefined;
  /** The mentions in the text, in its order: at most 50, of 20 accounts. */
  mentions?: Mention[] | undefined;
  /** Of a message with reactions: the emoji in the order of their first reaction. */
  reactions?: Reaction[] | undefined;
}

export const isMessageWithSeq = isShape<MessageWithSeq>({
  id: isString,
  conversation_id: isString,
  from: isString,
  to: isEither(isString, isNull),
  content: isString,
  timestamp: isString,
  read: isBoolean,
  seq: isNumber,
  reply_to: isAbsentOr(isQuote),
  revision: isAbsentOr(isNumber),
  edited_at: isAbsentOr(isString),
  attachments: isAbsentOr(isListOf(isAttachment)),
  mentions: isAbsentOr(isListOf(isMention)),
  reactions: isAbsentOr(isListOf(isReaction)),
});

/** A message that the caller has not acknowledged. */
export interface UnreadMessage {
  id: string;
  conversation_id: string;
  /** The sender. */
  from: string;
  /** The recipient in a dm, otherwise null. */
  to: string | null;
  /** The text of the message. */
  content: string;
  /** ISO 8601 UTC with milliseconds. */
  timestamp: string;
}

export const isUnreadMessage = isShape<UnreadMessage>({
  id: isString,
  conversation_id: isString,
  from: isString,
  to: isEither(isString, isNull),
  content: isString,
  timestamp: isString,
});

/** An unread message with its sequence number. */
export interface UnreadMessageWithSeq {
  id: string;
  conversation_id: string;
  /** The sender. */
  from: string;
  /** The recipient in a dm, otherwise null. */
  to: string | null;
  /** The text of the message. */
  content: string;
  /** ISO 8601 UTC with milliseconds. */
  timestamp: string;
  /** Sequence number in the stream of the conversation. */
  seq: number;
  /** The quoted message; absent if this is no reply, or retention removed the message. */
  reply_to?: Quote | undefined;
  /** Of an edited message: how often it was edited. */
  revision?: number | undefined;
  /** Of an edited message: when it was edited last. */
  edited_at?: string | undefined;
  /** The files that the message refers to; `content` ends with their URLs, one per line. */
  attachments?: Attachment[] | undefined;
  /** The mentions in the text, in its order: at most 50, of 20 accounts. */
  mentions?: Mention[] | undefined;
}

export const isUnreadMessageWithSeq = isShape<UnreadMessageWithSeq>({
  id: isString,
  conversation_id: isString,
  from: isString,
  to: isEither(isString, isNull),
  content: isString,
  timestamp: isString,
  seq: isNumber,
  reply_to: isAbsentOr(isQuote),
  revision: isAbsentOr(isNumber),
  edited_at: isAbsentOr(isString),
  attachments: isAbsentOr(isListOf(isAttachment)),
  mentions: isAbsentOr(isListOf(isMention)),
});

/** A message that a search has found. */
export interface SearchHit {
  id: string;
  conversation_id: string;
  /** The sender. */
  from: string;
  /** The recipient in a dm, otherwise null. */
  to: string | null;
  /** The text of the message. */
  content: string;
  /** ISO 8601 UTC with milliseconds. */
  timestamp: string;
  /** Sequence number in the stream of the conversation. */
  seq: number;
  /** Of an edited message: how often it was edited. */
  revision?: number | undefined;
  /** Of an edited message: when it was edited last. */
  edited_at?: string | undefined;
  /** The files that the message refers to; `content` ends with their URLs, one per line. */
  attachments?: Attachment[] | undefined;
  /** Where `content` has the words: ranges in UTF-16 code units, at most 100. */
  matches: { start: number; end: number }[];
}

export const isSearchHit = isShape<SearchHit>({
  id: isString,
  conversation_id: isString,
  from: isString,
  to: isEither(isString, isNull),
  content: isString,
  timestamp: isString,
  seq: isNumber,
  revision: isAbsentOr(isNumber),
  edited_at: isAbsentOr(isString),
  attachments: isAbsentOr(isListOf(isAttachment)),
  matches: isListOf(isShape({ start: isNumber, end: isNumber })),
});

/** A page of found messages. */
export interface SearchResults {
  /** The newest first. */
  hits: SearchHit[];
  /** Only while the search is behind: messages that were sent later may be missing. */
  indexed_until?: string | undefined;
  /** Only while older messages are being added to the search, as after an update. */
  building?: boolean | undefined;
}

export const isSearchResults = isShape<SearchResults>({
  hits: isListOf(isSearchHit),
  indexed_until: isAbsentOr(isString),
  building: isAbsentOr(isBoolean),
});

/** A change of a group or channel. */
export interface ConversationChange {
  /** Sequence number in the stream of the conversation. */
  seq: number;
  /** ISO 8601 UTC with milliseconds. */
  timestamp: string;
  type:
    | 'member-added'
    | 'member-left'
    | 'member-removed'
    | 'moderator-added'
    | 'moderator-removed'
    | 'conversation-renamed';
  /** The account that made the change. */
  by: string;
  /** The account that was added, removed, appointed or dismissed, or that left; null for a new name. */
  username: string | null;
  /** The new name; null for other changes. */
  name: string | null;
}

export const isConversationChange = isShape<ConversationChange>({
  seq: isNumber,
  timestamp: isString,
  type: isString,
  by: isString,
  username: isEither(isString, isNull),
  name: isEither(isString, isNull),
});

/** A dm or group, visible to its members, or a channel, visible to all accounts. */
export interface Conversation {
  id: string;
  type: 'dm' | 'group' | 'channel';
  /** Present on channels and on groups that were renamed. */
  name?: string | undefined;
  /** The account that created it, or that succeeded the creator. */
  creator: string;
  /** The accounts listed at creation, then the creator, then those that joined later; in a dm the other account, then the creator. Of a channel the first 250, and the caller if it is a later member; in events only the creator and the account that was added or joined. `/messages/members` lists all. */
  members: string[];
  /** In order of appointment. Of a channel the first 250, and the caller if it was appointed later. */
  moderators: string[];
  /** In a dm: whether either account blocks the other. Otherwise false. */
  blocked: boolean;
  /** ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 UTC with milliseconds. */
  updated_at: string;
}

export const isConversation = isShape<Conversation>({
  id: isString,
  type: isString,
  name: isAbsentOr(isString),
  creator: isString,
  members: isListOf(isString),
  moderators: isListOf(isString),
  blocked: isBoolean,
  created_at: isString,
  updated_at: isString,
});

/** A conversation with its last message and unread count. */
export interface ExtendedConversation {
  id: string;
  type: 'dm' | 'group' | 'channel';
  /** Present on channels and on groups that were renamed. */
  name?: string | undefined;
  /** The account that created it, or that succeeded the creator. */
  creator: string;
  /** The accounts listed at creation, then the creator, then those that joined later; in a dm the other account, then the creator. Of a channel the first 250, and the caller if it is a later member; in events only the creator and the account that was added or joined. `/messages/members` lists all. */
  members: string[];
  /** In order of appointment. Of a channel the first 250, and the caller if it was appointed later. */
  moderators: string[];
  /** In a dm: whether either account blocks the other. Otherwise false. */
  blocked: boolean;
  /** ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** ISO 8601 UTC with milliseconds. */
  updated_at: string;
  /** Sequence number in the stream of the conversation. */
  last_seq: number;
  /** The first unread message of another account comes after it. */
  read_seq: number;
  /** Number of unread messages of other accounts up to `last_seq`, at most 1,000. */
  unread_count: number;
  /** Whether the account wants no notifications of it. */
  muted: boolean;
  /** Whether the account wants it at the top of its list. */
  favourite: boolean;
  /** Unread mentions of the account, and replies to its messages, up to `last_seq`, at most 1,000. */
  mention_count: number;
  /** The first unread message; null if there is none. */
  first_unread_id: string | null;
  /** The newest message that is not deleted. */
  last_message: Message | null;
}

export const isExtendedConversation = isShape<ExtendedConversation>({
  id: isString,
  type: isString,
  name: isAbsentOr(isString),
  creator: isString,
  members: isListOf(isString),
  moderators: isListOf(isString),
  blocked: isBoolean,
  created_at: isString,
  updated_at: isString,
  last_seq: isNumber,
  read_seq: isNumber,
  unread_count: isNumber,
  muted: isBoolean,
  favourite: isBoolean,
  mention_count: isNumber,
  first_unread_id: isEither(isString, isNull),
  last_message: isEither(isMessage, isNull),
});

/** A pending friend request. */
export interface FriendRequest {
  id: string;
  /** The account that requests the friendship. */
  username: string;
}

export const isFriendRequest = isShape<FriendRequest>({ id: isString, username: isString });

/** Friends and blocked accounts. */
export interface FriendsList {
  /** The friends of the caller. */
  friends: string[];
  /** The accounts that the caller blocks. */
  blocked: string[];
}

export const isFriendsList = isShape<FriendsList>({ friends: isListOf(isString), blocked: isListOf(isString) });

/** The settings of an account. */
export interface Settings {
  dm: {
    /** Whether only friends may write direct messages and add the account to groups and channels. */
    only_from_friends: boolean;
  };
}

export const isSettings = isShape<Settings>({ dm: isShape({ only_from_friends: isBoolean }) });

/** A new channel. */
export interface CreatedChannel {
  id: string;
  name: string;
  creator: string;
}

export const isCreatedChannel = isShape<CreatedChannel>({ id: isString, name: isString, creator: isString });

/** Whether an account exists. */
export interface AccountExistence {
  username: string;
  /** As of the last minute; an account that is created now, as of the last 3 s. */
  exists: boolean;
}

export const isAccountExistence = isShape<AccountExistence>({ username: isString, exists: isBoolean });

/** One of the caller's own sessions. */
export interface SessionInfo {
  id: string;
  /** Name and version of the browser that logged in, if known. */
  browser: string | null;
  /** The IP address that logged in. */
  ip: string | null;
  /** Always null. */
  city: null;
  /** Always null. */
  country: null;
  /** ISO 8601 UTC with milliseconds. */
  created_at: string;
  /** When it last got new tokens. Only with `extended=true`. */
  renewed_at?: string | undefined;
  /** Whether this is the session of the request. */
  current: boolean;
}

export const isSessionInfo = isShape<SessionInfo>({
  id: isString,
  browser: isEither(isString, isNull),
  ip: isEither(isString, isNull),
  city: isNull,
  country: isNull,
  created_at: isString,
  renewed_at: isAbsentOr(isString),
  current: isBoolean,
});

/** An erasure that has begun. */
export interface Erasure {
  /** ISO 8601 UTC with milliseconds. */
  requested_at: string;
}

export const isErasure = isShape<Erasure>({ requested_at: isString });

/** A new session with its tokens. */
export interface LoginSession {
  username: string;
  /** Whether the account moderates every channel. */
  admin: boolean;
  /** Token for the WebSocket only; valid for a day unless configured otherwise. */
  ws_token: string;
  /** Access token. */
  token: string;
  /** Renews access tokens at `/users/refresh-token`; does not change. */
  refresh_token: string;
  /** When the access token expires. */
  expires_at: string;
}

export const isLoginSession = isShape<LoginSession>({
  username: isString,
  admin: isBoolean,
  ws_token: isString,
  token: isString,
  refresh_token: isString,
  expires_at: isString,
});

/** A session with new tokens. */
export interface RenewedSession {
  username: string;
  /** Token for the WebSocket only; valid for a day unless configured otherwise. */
  ws_token: string;
  /** Access token. */
  token: string;
}

export const isRenewedSession = isShape<RenewedSession>({ username: isString, ws_token: isString, token: isString });

/** The payload of every frame that the service sends, by the type of the frame. */
export interface Frames {
  status: {
    authenticated: boolean;
    /** The requested capabilities that the service supports. */
    capabilities?: ('sync' | 'client-id' | 'receipts' | 'read-position' | 'typing' | 'presence' | 'rich')[] | undefined;
    /** Opaque: everything before it has been delivered to this connection. Absent in the reply to a frame with `resume`: `resume-complete` and `resume-failed` have it then. */
    cursor?: string | undefined;
  };
  'conversation-created': Conversation;
  'chat-message': RichMessage;
  'conversation-renamed': { conversation_id: string; name: string };
  'conversation-removed': { id: string };
  'conversation-preferences-changed': {
    conversation_id: string;
    /** Whether the account wants no notifications of it. */
    muted: boolean;
    /** Whether the account wants it at the top of its list. */
    favourite: boolean;
  };
  'draft-changed': Draft;
  'member-left': { conversation_id: string; member: string };
  'message-deleted': { id: string };
  'message-edited': {
    id: string;
    conversation_id: string;
    /** The new text. */
    content: string;
    /** How often the message was edited; 0 only in the reply to an edit that changed nothing. */
    revision: number;
    /** When the text was written. */
    edited_at: string;
    /** The mentions in the text, in its order: at most 50, of 20 accounts. */
    mentions?: Mention[] | undefined;
  };
  'reactions-changed': {
    /** The message. */
    id: string;
    conversation_id: string;
    /** All reactions of the message, ordered by the oldest one that is left. */
    reactions: ReactionCount[];
    /** The changes in order; `added` is false for a withdrawn reaction. */
    changes: {
      username: string;
      /** One emoji. */
      emoji: string;
      added: boolean;
    }[];
  };
  'pins-changed': {
    /** The message. */
    id: string;
    conversation_id: string;
    /** The account that made the change. */
    username: string;
    /** Whether the message is pinned now. */
    pinned: boolean;
  };
  'receipts-changed': { conversation_id: string; receipts: Receipt[] };
  acknowledged: { conversation_id: string };
  'member-added': { conversation_id: string; username: string };
  'member-removed': { conversation_id: string; username: string };
  'moderator-added': { conversation_id: string; username: string };
  'moderator-removed': { conversation_id: string; username: string };
  'friendship-requested': { id: string; username: string };
  'friendship-accepted': { id: string; username: string };
  'friendship-rejected': { id: string };
  'friendship-removed': { username: string };
  'user-blocked': {
    /** The dm of the two accounts, or null if there is none. */
    conversation_id: string | null;
    username: string;
  };
  'user-unblocked': {
    /** The dm of the two accounts, or null if there is none. */
    conversation_id: string | null;
    username: string;
  };
  'reauthentication-required': { username: string };
  'resume-complete': {
    /** Opaque: everything before it has been delivered to this connection. */
    cursor: string;
  };
  'resume-failed': {
    reason: 'invalid' | 'expired' | 'too-much';
    /** Opaque: everything before it has been delivered to this connection. */
    cursor: string;
  };
  'messages-read': {
    conversation_id: string;
    /** The account that has read the messages. */
    username: string;
    /** Sequence number; increases within the stream. */
    seq: number;
  };
  'read-position': {
    conversation_id: string;
    /** Sequence number in the stream of the conversation. */
    last_seq: number;
    /** The first unread message of another account comes after it. */
    read_seq: number;
    /** Number of unread messages of other accounts up to `last_seq`, at most 1,000. */
    unread_count: number;
    /** Unread mentions of the account, and replies to its messages, up to `last_seq`, at most 1,000. */
    mention_count?: number | undefined;
  };
  typing: { conversation_id: string; username: string };
  'presence-changed': { username: string; online: boolean };
  error: {
    code:
      | 'invalid-frame'
      | 'unknown-type'
      | 'unauthenticated'
      | 'forbidden'
      | 'not-found'
      | 'account-not-found'
      | 'blocked'
      | 'friends-only'
      | 'too-large'
      | 'rate-limited'
      | 'conflict'
      | 'unavailable'
      | 'too-late';
    /** For people; may change. */
    message: string;
    /** Type of the frame that failed; null if it had none. */
    request_type: string | null;
    ref?: string | number | undefined;
    /** When to retry, if a retry can help. */
    retry_after_ms?: number | undefined;
  };
}

export const frameGuards: { readonly [T in keyof Frames]: Guard<Frames[T]> } = {
  status: isShape({
    authenticated: isBoolean,
    capabilities: isAbsentOr(isListOf(isString)),
    cursor: isAbsentOr(isString),
  }),
  'conversation-created': isConversation,
  'chat-message': isRichMessage,
  'conversation-renamed': isShape({ conversation_id: isString, name: isString }),
  'conversation-removed': isShape({ id: isString }),
  'conversation-preferences-changed': isShape({ conversation_id: isString, muted: isBoolean, favourite: isBoolean }),
  'draft-changed': isDraft,
  'member-left': isShape({ conversation_id: isString, member: isString }),
  'message-deleted': isShape({ id: isString }),
  'message-edited': isShape({
    id: isString,
    conversation_id: isString,
    content: isString,
    revision: isNumber,
    edited_at: isString,
    mentions: isAbsentOr(isListOf(isMention)),
  }),
  'reactions-changed': isShape({
    id: isString,
    conversation_id: isString,
    reactions: isListOf(isReactionCount),
    changes: isListOf(isShape({ username: isString, emoji: isString, added: isBoolean })),
  }),
  'pins-changed': isShape({ id: isString, conversation_id: isString, username: isString, pinned: isBoolean }),
  'receipts-changed': isShape({ conversation_id: isString, receipts: isListOf(isReceipt) }),
  acknowledged: isShape({ conversation_id: isString }),
  'member-added': isShape({ conversation_id: isString, username: isString }),
  'member-removed': isShape({ conversation_id: isString, username: isString }),
  'moderator-added': isShape({ conversation_id: isString, username: isString }),
  'moderator-removed': isShape({ conversation_id: isString, username: isString }),
  'friendship-requested': isShape({ id: isString, username: isString }),
  'friendship-accepted': isShape({ id: isString, username: isString }),
  'friendship-rejected': isShape({ id: isString }),
  'friendship-removed': isShape({ username: isString }),
  'user-blocked': isShape({ conversation_id: isEither(isString, isNull), username: isString }),
  'user-unblocked': isShape({ conversation_id: isEither(isString, isNull), username: isString }),
  'reauthentication-required': isShape({ username: isString }),
  'resume-complete': isShape({ cursor: isString }),
  'resume-failed': isShape({ reason: isString, cursor: isString }),
  'messages-read': isShape({ conversation_id: isString, username: isString, seq: isNumber }),
  'read-position': isShape({
    conversation_id: isString,
    last_seq: isNumber,
    read_seq: isNumber,
    unread_count: isNumber,
    mention_count: isAbsentOr(isNumber),
  }),
  typing: isShape({ conversation_id: isString, username: isString }),
  'presence-changed': isShape({ username: isString, online: isBoolean }),
  error: isShape({
    code: isString,
    message: isString,
    request_type: isEither(isString, isNull),
    ref: isAbsentOr(isEither(isString, isNumber)),
    retry_after_ms: isAbsentOr(isNumber),
  }),
};

/** The payload of every frame that a client may send, by the type of the frame. */
export interface SentFrames {
  authenticate: {
    /** Access token or ws_token. By default the credentials of the upgrade request; if the token has expired, cookies of the same account on that request. */
    token?: string | undefined;
    /** If present, must be the account of the token. */
    username?: string | undefined;
    /** Extensions that the client requests: sync, client-id, receipts, read-position, typing, presence, rich. */
    capabilities?: string[] | undefined;
    /** With the capability sync: the last cursor of a previous connection. */
    resume?: string | undefined;
  };
  'create-conversation': {
    /** One account for a dm, a list for a group. */
    to: string | string[];
    /** 1 to 4000 characters, not blank, no control characters except tab and line breaks. */
    message: string;
    /** With the capability rich: at most 10 files, each an `Attachment` on a host that the operator allows. Their URLs are added to the text, one per line, unless it ends with them. */
    attachments?: unknown[] | undefined;
    /** With the capability client-id: 1 to 64 characters; a repetition within 24 hours gets the first result, and `conflict` if the text differs. */
    client_id?: string | undefined;
  };
  'rename-conversation': {
    conversation_id: string;
    /** 1 to 64 characters, not blank, no invisible characters, no white space except single spaces. Trimmed and normalized (NFC). */
    name: string;
  };
  'leave-conversation': { conversation_id: string };
  'set-conversation-preferences': {
    conversation_id: string;
    /** By default as before. */
    muted?: boolean | undefined;
    /** By default as before. */
    favourite?: boolean | undefined;
  };
  'set-draft': {
    conversation_id: string;
    /** At most 4000 characters, no control characters except tab and line breaks; an empty text deletes the draft. */
    text: string;
    /** The id of the message of the conversation that the draft replies to. */
    reply_to?: string | undefined;
  };
  'chat-message': {
    conversation_id?: string | undefined;
    /** Without conversation_id: sends to the dm with this account. Ignored if there is a conversation_id. */
    to?: string | null | undefined;
    /** 1 to 4000 characters, not blank, no control characters except tab and line breaks. */
    message: string;
    /** With the capability rich: the id of the message of the same conversation that this one replies to. */
    reply_to?: string | undefined;
    /** With the capability rich: at most 10 files, each an `Attachment` on a host that the operator allows. Their URLs are added to the text, one per line, unless it ends with them. */
    attachments?: unknown[] | undefined;
    /** With the capability client-id: 1 to 64 characters; a repetition within 24 hours gets the first result, and `conflict` if the text differs. */
    client_id?: string | undefined;
  };
  'delete-message': { id: string };
  'edit-message': {
    id: string;
    /** 1 to 4000 characters, not blank, no control characters except tab and line breaks. */
    message: string;
  };
  'add-reaction': {
    /** The message. */
    id: string;
    /** One fully qualified emoji, which may consist of several code points. */
    emoji: string;
  };
  'remove-reaction': {
    /** The message. */
    id: string;
    /** One emoji. */
    emoji: string;
  };
  acknowledgment: {
    conversation_id: string;
    /** With the capability read-position: marks only messages up to this sequence number. */
    seq?: number | undefined;
  };
  'pin-message': {
    /** The message. */
    id: string;
  };
  'unpin-message': {
    /** The message. */
    id: string;
  };
  'mark-unread': {
    /** The message. */
    id: string;
  };
  'add-member': { conversation_id: string; username: string };
  'remove-member': { conversation_id: string; username: string };
  'add-moderator': { conversation_id: string; username: string };
  'remove-moderator': { conversation_id: string; username: string };
  'request-friendship': { username: string };
  'accept-friendship': { id: string };
  'reject-friendship': { id: string };
  'remove-friendship': { username: string };
  'block-user': { username: string };
  'unblock-user': { username: string };
  typing: { conversation_id: string };
}
