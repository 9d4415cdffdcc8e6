import { z } from 'zod';
import { accountName } from '../account-name';
import { attachment } from './attachments';
import { storedEmoji } from './emoji';
import { maxListedMembers, maxMentionRanges, maxMentions, quoteCharacters } from './limits';
import { identifier, timestamp } from './values';

/** Values that the examples share. */
const example = {
  conversation: '01K0C8N2V4W6X8Y0Z2A4B6C8D0',
  message: '01K0C8N3E5F7G9H1J3K5M7N9P1',
  request: '01K0C8N4Q2R4S6T8V0W2X4Y6Z8',
  token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl',
  at: '2026-01-31T12:00:00.000Z',
};

/** Response of `/users/login`. Clients that do not use cookies store its tokens. */
export const loginSession = z
  .object({
    username: accountName,
    admin: z.boolean().meta({ description: 'Whether the account moderates every channel' }),
    ws_token: z
      .string()
      .meta({ description: 'Token for the WebSocket only; valid for a day unless configured otherwise' }),
    token: z.string().meta({ description: 'Access token' }),
    refresh_token: z.string().meta({ description: 'Renews access tokens at `/users/refresh-token`; does not change' }),
    expires_at: timestamp.meta({ description: 'When the access token expires' }),
  })
  .meta({
    id: 'LoginSession',
    description: 'A new session with its tokens',
    examples: [
      {
        username: 'alice',
        admin: false,
        ws_token: example.token,
        token: example.token,
        refresh_token: example.token,
        expires_at: example.at,
      },
    ],
  });
export type LoginSession = z.infer<typeof loginSession>;

/** Response of `/users/verify` and `/users/refresh-token`. */
export const renewedSession = z
  .object({
    username: accountName,
    ws_token: z
      .string()
      .meta({ description: 'Token for the WebSocket only; valid for a day unless configured otherwise' }),
    token: z.string().meta({ description: 'Access token' }),
  })
  .meta({
    id: 'RenewedSession',
    description: 'A session with new tokens',
    examples: [{ username: 'alice', ws_token: example.token, token: example.token }],
  });
export type RenewedSession = z.infer<typeof renewedSession>;

/** Response of `/users/account`. */
export const accountExistence = z
  .object({
    username: accountName,
    exists: z
      .boolean()
      .meta({ description: 'As of the last minute; an account that is created now, as of the last 3 s' }),
  })
  .meta({
    id: 'AccountExistence',
    description: 'Whether an account exists',
    examples: [{ username: 'alice', exists: true }],
  });
export type AccountExistence = z.infer<typeof accountExistence>;

/** One of the caller's own sessions. Its location is not looked up. */
export const sessionInfo = z
  .object({
    id: identifier,
    browser: z.string().nullable().meta({ description: 'Name and version of the browser that logged in, if known' }),
    ip: z.string().nullable().meta({ description: 'The IP address that logged in' }),
    city: z.null().meta({ description: 'Always null' }),
    country: z.null().meta({ description: 'Always null' }),
    created_at: timestamp,
    renewed_at: timestamp.optional().meta({ description: 'When it last got new tokens. Only with `extended=true`' }),
    current: z.boolean().meta({ description: 'Whether this is the session of the request' }),
  })
  .meta({ id: 'SessionInfo', description: "One of the caller's own sessions" });
export type SessionInfo = z.infer<typeof sessionInfo>;

/** Response of `POST /users/revoke-session`. */
export const sessionRevoked = z
  .object({ success: z.literal(true) })
  .meta({ id: 'SessionRevoked', description: 'The session was ended' });
export type SessionRevoked = z.infer<typeof sessionRevoked>;

export const conversationType = z.enum(['dm', 'group', 'channel']);
export type ConversationType = z.infer<typeof conversationType>;

export const conversation = z
  .object({
    id: identifier,
    type: conversationType,
    name: z.string().optional().meta({ description: 'Present on channels and on groups that were renamed' }),
    creator: accountName.meta({ description: 'The account that created it, or that succeeded the creator' }),
    members: z.array(accountName).meta({
      description: `The accounts listed at creation, then the creator, then those that joined later; in a dm the other account, then the creator. Of a channel the first ${maxListedMembers}, and the caller if it is a later member; in events only the creator and the account that was added or joined. \`/messages/members\` lists all`,
    }),
    moderators: z.array(accountName).meta({
      description: `In order of appointment. Of a channel the first ${maxListedMembers}, and the caller if it was appointed later`,
    }),
    blocked: z.boolean().meta({ description: 'In a dm: whether either account blocks the other. Otherwise false' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({
    id: 'Conversation',
    description: 'A dm or group, visible to its members, or a channel, visible to all accounts',
    examples: [
      {
        id: example.conversation,
        type: 'group',
        name: 'Bees',
        creator: 'alice',
        members: ['alice', 'bob', 'carol'],
        moderators: ['bob'],
        blocked: false,
        created_at: example.at,
        updated_at: example.at,
      },
    ],
  });
export type Conversation = z.infer<typeof conversation>;

const exampleMessage = {
  id: example.message,
  conversation_id: example.conversation,
  from: 'alice',
  to: null,
  content: 'hello',
  timestamp: example.at,
};

/** The message that a message replies to, as it is when the reply is read or delivered. */
export const quote = z
  .object({
    id: identifier,
    from: accountName.meta({ description: 'The sender' }),
    content: z
      .string()
      .nullable()
      .meta({
        description: `The first ${quoteCharacters} Unicode code points of the text; null if the message was deleted`,
      }),
  })
  .meta({ id: 'Quote', description: 'The message that a message replies to' });
export type Quote = z.infer<typeof quote>;

/** A mention in the text of a message. */
export const mention = z
  .object({
    offset: z.int().min(0).meta({ description: 'Where it begins in the text, in UTF-16 code units' }),
    length: z.int().min(1).meta({ description: 'In UTF-16 code units, with the @' }),
    username: accountName.nullable().meta({ description: 'The account; null for `@all` and `@here` of a moderator' }),
  })
  .meta({ id: 'Mention', description: 'A mention in the text of a message' });
export type Mention = z.infer<typeof mention>;

/** How many accounts have reacted to a message with an emoji. */
export const reactionCount = z
  .object({ emoji: storedEmoji, count: z.int().min(1) })
  .meta({ id: 'ReactionCount', description: 'How many accounts have reacted to a message with an emoji' });
export type ReactionCount = z.infer<typeof reactionCount>;

/** The reactions to a message with one emoji, as an account sees them. */
export const reaction = reactionCount
  .extend({ own: z.boolean().meta({ description: 'Whether the caller is one of these accounts' }) })
  .meta({ id: 'Reaction', description: 'The reactions to a message with one emoji, as the caller sees them' });
export type Reaction = z.infer<typeof reaction>;

/** What some messages have with the capability `rich` or `extended=true`. Each field is absent unless it applies. */
export const richFields = {
  reply_to: quote.optional().meta({
    description: 'The quoted message; absent if this is no reply, or retention removed the message',
  }),
  revision: z.int().min(1).optional().meta({ description: 'Of an edited message: how often it was edited' }),
  edited_at: timestamp.optional().meta({ description: 'Of an edited message: when it was edited last' }),
  attachments: z
    .array(attachment)
    .optional()
    .meta({ description: 'The files that the message refers to; `content` ends with their URLs, one per line' }),
  mentions: z
    .array(mention)
    .optional()
    .meta({
      description: `The mentions in the text, in its order: at most ${maxMentionRanges}, of ${maxMentions} accounts`,
    }),
};
export type RichFields = z.infer<z.ZodObject<typeof richFields>>;

/** A message in the response of `/messages/new`. */
export const unreadMessage = z
  .object({
    id: identifier,
    conversation_id: identifier,
    from: accountName.meta({ description: 'The sender' }),
    to: accountName.nullable().meta({ description: 'The recipient in a dm, otherwise null' }),
    content: z.string().meta({ description: 'The text of the message' }),
    timestamp,
  })
  .meta({
    id: 'UnreadMessage',
    description: 'A message that the caller has not acknowledged',
    examples: [exampleMessage],
  });
export type UnreadMessage = z.infer<typeof unreadMessage>;

/** A message in history and in `chat-message` events. */
export const message = unreadMessage
  .extend({
    read: z.boolean().meta({
      description: 'In a dm: its recipient has acknowledged it. Otherwise: the caller has acknowledged or sent it',
    }),
  })
  .meta({ id: 'Message', description: 'A message', examples: [{ ...exampleMessage, read: false }] });
export type Message = z.infer<typeof message>;

/** A message as an event delivers it. */
export const richMessage = message.extend(richFields).meta({
  id: 'RichMessage',
  description: 'A message; only connections with the capability `rich` receive the optional fields',
  examples: [{ ...exampleMessage, read: false }],
});
export type RichMessage = z.infer<typeof richMessage>;

const seq = z.int().min(0).meta({ description: 'Sequence number in the stream of the conversation' });

/** With `extended=true`: a message with its sequence number. */
export const messageWithSeq = message
  .extend({
    seq,
    ...richFields,
    reactions: z
      .array(reaction)
      .optional()
      .meta({ description: 'Of a message with reactions: the emoji in the order of their first reaction' }),
  })
  .meta({ id: 'MessageWithSeq', description: 'A message with its sequence number' });
export type MessageWithSeq = z.infer<typeof messageWithSeq>;

/** With `extended=true`: an unread message with its sequence number. */
export const unreadMessageWithSeq = unreadMessage
  .extend({ seq, ...richFields })
  .meta({ id: 'UnreadMessageWithSeq', description: 'An unread message with its sequence number' });
export type UnreadMessageWithSeq = z.infer<typeof unreadMessageWithSeq>;

/** A former text of an edited message. */
export const messageRevision = z
  .object({
    revision: z.int().min(0).meta({ description: '0 is the first text' }),
    content: z.string(),
    timestamp,
  })
  .meta({ id: 'MessageRevision', description: 'A former text of an edited message, and when it was written' });
export type MessageRevision = z.infer<typeof messageRevision>;

/** A pinned message. */
export const pin = z
  .object({
    id: identifier.meta({ description: 'The message' }),
    seq,
    from: accountName.meta({ description: 'The sender of the message' }),
    content: z.string().meta({ description: `Its first ${quoteCharacters} characters` }),
    timestamp: timestamp.meta({ description: 'When the message was sent' }),
    pinned_by: accountName,
    pinned_at: timestamp,
  })
  .meta({ id: 'Pin', description: 'A pinned message, who pinned it and when' });
export type Pin = z.infer<typeof pin>;

/** How far a member has read a group. */
export const receipt = z
  .object({
    username: accountName,
    seq: z.int().min(0).meta({ description: 'It has read everything up to this sequence number; 0 if nothing' }),
  })
  .meta({ id: 'Receipt', description: 'How far a member has read a group' });
export type Receipt = z.infer<typeof receipt>;

/** What an account has written into the field of a conversation, but not sent. */
export const draft = z
  .object({
    conversation_id: identifier,
    text: z.string(),
    reply_to: quote.optional().meta({ description: 'The message that it replies to, unless retention removed that' }),
    updated_at: timestamp.meta({ description: 'When it was changed: the later change wins' }),
  })
  .meta({ id: 'Draft', description: 'A text that an account has not sent yet' });
export type Draft = z.infer<typeof draft>;

/** A message that a search has found. */
export const searchHit = unreadMessage
  .extend({
    seq,
    revision: richFields.revision,
    edited_at: richFields.edited_at,
    attachments: richFields.attachments,
    matches: z
      .array(z.object({ start: z.int().min(0), end: z.int().min(0) }))
      .meta({ description: 'Where `content` has the words: ranges in UTF-16 code units, at most 100' }),
  })
  .meta({ id: 'SearchHit', description: 'A message that a search has found' });
export type SearchHit = z.infer<typeof searchHit>;

/** A page of found messages, and whether the search may lack some. */
export const searchResults = z
  .object({
    hits: z.array(searchHit).meta({ description: 'The newest first' }),
    indexed_until: timestamp.optional().meta({
      description: 'Only while the search is behind: messages that were sent later may be missing',
    }),
    building: z.literal(true).optional().meta({
      description: 'Only while older messages are being added to the search, as after an update',
    }),
  })
  .meta({ id: 'SearchResults', description: 'A page of found messages' });
export type SearchResults = z.infer<typeof searchResults>;

/** A change of a group or channel, as its history shows it between the messages. */
export const conversationChange = z
  .object({
    seq,
    timestamp,
    type: z.enum([
      'member-added',
      'member-left',
      'member-removed',
      'moderator-added',
      'moderator-removed',
      'conversation-renamed',
    ]),
    by: accountName.meta({ description: 'The account that made the change' }),
    username: accountName.nullable().meta({
      description: 'The account that was added, removed, appointed or dismissed, or that left; null for a new name',
    }),
    name: z.string().nullable().meta({ description: 'The new name; null for other changes' }),
  })
  .meta({ id: 'ConversationChange', description: 'A change of a group or channel' });
export type ConversationChange = z.infer<typeof conversationChange>;

/** A message that mentions the caller. */
export const mentioningMessage = unreadMessageWithSeq
  .extend({
    mention_seq: seq.meta({
      description: 'The message or edit with the mention: it is read when this is acknowledged',
    }),
    unread: z.boolean().meta({ description: 'Whether the caller has not acknowledged the mention' }),
  })
  .meta({ id: 'MentioningMessage', description: 'A message that mentions the caller or replies to a message of it' });
export type MentioningMessage = z.infer<typeof mentioningMessage>;

/** Unread messages over all conversations. */
export const unreadCounts = z
  .object({
    direct_messages: z.int().min(0).meta({ description: 'Unread messages in dms that are not muted' }),
    mentions: z.int().min(0).meta({
      description: 'Unread mentions, and replies to messages of the caller, in groups, channels and muted dms',
    }),
    group_messages: z.int().min(0).meta({
      description: 'Unread messages in groups and channels that are not muted, also those with mentions',
    }),
  })
  .meta({ id: 'UnreadCounts', description: 'Unread messages of others, of each conversation at most 1,000' });
export type UnreadCounts = z.infer<typeof unreadCounts>;

/** How many unread messages mention an account. */
export const mentionCount = z.int().min(0).meta({
  description: 'Unread mentions of the account, and replies to its messages, up to `last_seq`, at most 1,000',
});

/** How far an account has read a conversation. */
export const readState = {
  last_seq: seq,
  read_seq: z.int().min(0).meta({ description: 'The first unread message of another account comes after it' }),
  unread_count: z
    .int()
    .min(0)
    .meta({ description: 'Number of unread messages of other accounts up to `last_seq`, at most 1,000' }),
};

/** What an account has set for a conversation. */
export const preferences = {
  muted: z.boolean().meta({ description: 'Whether the account wants no notifications of it' }),
  favourite: z.boolean().meta({ description: 'Whether the account wants it at the top of its list' }),
};

/** With `extended=true`: a conversation with its last message and unread count. */
export const extendedConversation = conversation
  .extend({
    ...readState,
    ...preferences,
    mention_count: mentionCount,
    first_unread_id: identifier.nullable().meta({ description: 'The first unread message; null if there is none' }),
    last_message: message.nullable().meta({ description: 'The newest message that is not deleted' }),
  })
  .meta({ id: 'ExtendedConversation', description: 'A conversation with its last message and unread count' });
export type ExtendedConversation = z.infer<typeof extendedConversation>;

export const friendRequest = z
  .object({
    id: identifier,
    username: accountName.meta({ description: 'The account that requests the friendship' }),
  })
  .meta({
    id: 'FriendRequest',
    description: 'A pending friend request',
    examples: [{ id: example.request, username: 'bob' }],
  });
export type FriendRequest = z.infer<typeof friendRequest>;

export const friendsList = z
  .object({
    friends: z.array(accountName).meta({ description: 'The friends of the caller' }),
    blocked: z.array(accountName).meta({ description: 'The accounts that the caller blocks' }),
  })
  .meta({ id: 'FriendsList', description: 'Friends and blocked accounts' });
export type FriendsList = z.infer<typeof friendsList>;

export const settings = z
  .object({
    dm: z.object({
      only_from_friends: z.boolean().meta({
        description: 'Whether only friends may write direct messages and add the account to groups and channels',
      }),
    }),
  })
  .meta({ id: 'Settings', description: 'The settings of an account' });
export type Settings = z.infer<typeof settings>;

export const createdChannel = z
  .object({ id: identifier, name: z.string(), creator: accountName })
  .meta({ id: 'CreatedChannel', description: 'A new channel' });
export type CreatedChannel = z.infer<typeof createdChannel>;
