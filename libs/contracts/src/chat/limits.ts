/** Configurable limits of the chat. Characters are Unicode code points. */
export interface ChatLimits {
  /** Maximum length of a message, in characters. */
  messageCharacters: number;
  /** Maximum length of the name of a group or channel, in characters. */
  nameCharacters: number;
  /** Maximum number of members of a group, including its creator. */
  groupMembers: number;
  /** Maximum size of a WebSocket frame of a client, in bytes. */
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

/** Maximum number of messages in a page of `GET /messages/new`. */
export const maxUnreadMessages = 1_000;

/** How long before an authentication expires the server sends `reauthentication-required`, in milliseconds. */
export const reauthenticationNoticeMs = 60_000;

/** Maximum number of conversations in a page of `GET /messages/conversations` and `GET /users/channels`. */
export const maxConversations = 1_000;

/**
 * Maximum number of members and of moderators of a channel in a conversation over REST, besides the caller: as many as
 * a group has by default.
 */
export const maxListedMembers = 250;

/** Maximum number of different emoji that a message has as reactions. */
export const maxReactionKinds = 20;

/** Maximum number of attachments of a message. */
export const maxAttachments = 10;

/** Maximum length of the URL of an attachment, in characters. */
export const maxAttachmentUrl = 1_024;

/** Maximum length of the name of an attachment, in characters. */
export const maxAttachmentName = 128;
/** Maximum number of accounts that a message mentions; later names are text. */
export const maxMentions = 20;

/** Maximum number of mentions in a message; later ones are text. */
export const maxMentionRanges = 50;

/** Maximum number of messages in a page of `GET /messages/mentions`. */
export const maxMentionsPage = 100;

/** Maximum number of messages that are pinned in a conversation. */
export const maxPins = 50;

/** Maximum number of drafts of an account. */
export const maxDrafts = 200;

/** Maximum length of the text in a quote, in characters. */
export const quoteCharacters = 140;

/** Maximum number of former texts in a page of `GET /messages/revisions`. */
export const maxRevisionsPage = 100;

/** Page size of `GET /messages/search`, in messages. */
export const searchPage = { default: 20, max: 50 } as const;

/** Maximum length of what is searched for, in UTF-16 code units. */
export const maxSearchLength = 512;

/** Maximum number of changes in a page of `GET /messages/changes`. */
export const maxChangesPage = 500;

/** Maximum number of accounts in a page of `GET /messages/members`. */
export const maxMembersPage = 10_000;
