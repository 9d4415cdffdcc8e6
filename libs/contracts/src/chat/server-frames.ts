import { z } from 'zod';
import { accountName } from '../account-name';
import { capability, frameReference, type Capability } from './client-frames';
import { frameErrorCode } from './error-codes';
import { storedEmoji } from './emoji';
import {
  conversation,
  draft,
  mentionCount,
  preferences,
  reactionCount,
  receipt,
  readState,
  richFields,
  richMessage,
} from './resources';
import { identifier, timestamp } from './values';

const ofConversation = z.object({ conversation_id: identifier });
const ofMember = z.object({ conversation_id: identifier, username: accountName });
const ofFriendRequest = z.object({ id: identifier, username: accountName });
const ofBlock = z.object({
  conversation_id: identifier.nullable().meta({ description: 'The dm of the two accounts, or null if there is none' }),
  username: accountName,
});

const seq = z.int().min(0).meta({ description: 'Sequence number; increases within the stream' });
const cursor = z.string().meta({ description: 'Opaque: everything before it has been delivered to this connection' });

/** What a durable frame has beside `type` and `payload` on a connection with the capability `sync`. */
export const framePosition = z.object({
  stream: z.string().meta({ description: 'The id of the conversation, or the name of the account' }),
  seq,
  cursor,
  by: accountName.optional().meta({
    description: 'Of a change that `GET /messages/changes` lists: the account that made it',
  }),
  timestamp: timestamp.optional().meta({ description: 'Of such a change: when it was made, in ISO 8601' }),
});
export type FramePosition = z.infer<typeof framePosition>;

/** The payload of every frame that the service sends, by the type of the frame. */
export const serverFrames = {
  status: z.object({
    authenticated: z.boolean(),
    capabilities: z
      .array(capability)
      .optional()
      .meta({ description: 'The requested capabilities that the service supports' }),
    cursor: cursor.optional().meta({
      description:
        'Opaque: everything before it has been delivered to this connection. Absent in the reply to a frame with `resume`: `resume-complete` and `resume-failed` have it then',
    }),
  }),
  'conversation-created': conversation,
  'chat-message': richMessage,
  'conversation-renamed': z.object({ conversation_id: identifier, name: z.string() }),
  'conversation-removed': z.object({ id: identifier }),
  'conversation-preferences-changed': z.object({ conversation_id: identifier, ...preferences }),
  'draft-changed': draft,
  'member-left': z.object({ conversation_id: identifier, member: accountName }),
  'message-deleted': z.object({ id: identifier }),
  'message-edited': z.object({
    id: identifier,
    conversation_id: identifier,
    content: z.string().meta({ description: 'The new text' }),
    revision: z.int().min(0).meta({
      description: 'How often the message was edited; 0 only in the reply to an edit that changed nothing',
    }),
    edited_at: timestamp.meta({ description: 'When the text was written' }),
    mentions: richFields.mentions,
  }),
  'reactions-changed': z.object({
    id: identifier.meta({ description: 'The message' }),
    conversation_id: identifier,
    reactions: z
      .array(reactionCount)
      .meta({ description: 'All reactions of the message, ordered by the oldest one that is left' }),
    changes: z
      .array(z.object({ username: accountName, emoji: storedEmoji, added: z.boolean() }))
      .meta({ description: 'The changes in order; `added` is false for a withdrawn reaction' }),
  }),
  'pins-changed': z.object({
    id: identifier.meta({ description: 'The message' }),
    conversation_id: identifier,
    username: accountName.meta({ description: 'The account that made the change' }),
    pinned: z.boolean().meta({ description: 'Whether the message is pinned now' }),
  }),
  'receipts-changed': z.object({ conversation_id: identifier, receipts: z.array(receipt) }),
  acknowledged: ofConversation,
  'member-added': ofMember,
  'member-removed': ofMember,
  'moderator-added': ofMember,
  'moderator-removed': ofMember,
  'friendship-requested': ofFriendRequest,
  'friendship-accepted': ofFriendRequest,
  'friendship-rejected': z.object({ id: identifier }),
  'friendship-removed': z.object({ username: accountName }),
  'user-blocked': ofBlock,
  'user-unblocked': ofBlock,
  'reauthentication-required': z.object({ username: accountName }),
  'resume-complete': z.object({ cursor }),
  'resume-failed': z.object({ reason: z.enum(['invalid', 'expired', 'too-much']), cursor }),
  'messages-read': z.object({
    conversation_id: identifier,
    username: accountName.meta({ description: 'The account that has read the messages' }),
    seq,
  }),
  'read-position': z.object({
    conversation_id: identifier,
    ...readState,
    mention_count: mentionCount.optional(),
  }),
  typing: ofMember,
  'presence-changed': z.object({ username: accountName, online: z.boolean() }),
  error: z.object({
    code: frameErrorCode,
    message: z.string().meta({ description: 'For people; may change' }),
    request_type: z.string().nullable().meta({ description: 'Type of the frame that failed; null if it had none' }),
    ref: frameReference.optional(),
    retry_after_ms: z.int().optional().meta({ description: 'When to retry, if a retry can help' }),
  }),
};

/** Frames that only connections with a capability receive. */
export const extendedServerFrames = {
  'resume-complete': 'sync',
  'resume-failed': 'sync',
  'messages-read': 'receipts',
  'read-position': 'read-position',
  typing: 'typing',
  'presence-changed': 'presence',
  'conversation-preferences-changed': 'rich',
  'draft-changed': 'rich',
  'message-edited': 'rich',
  'reactions-changed': 'rich',
  'pins-changed': 'rich',
  'receipts-changed': 'rich',
} as const satisfies Partial<Record<keyof typeof serverFrames, Capability>>;

type ServerFrames = typeof serverFrames;
export type ServerFrameType = keyof ServerFrames;
/** The frames that connections without capabilities receive too. */
export type BaseServerFrameType = Exclude<ServerFrameType, keyof typeof extendedServerFrames>;
export type ServerPayload<T extends ServerFrameType> = z.infer<ServerFrames[T]>;

/** The frames that are not entries of a stream. */
const unsequenced: readonly ServerFrameType[] = [
  'status',
  'error',
  'acknowledged',
  'reauthentication-required',
  'resume-complete',
  'resume-failed',
  'messages-read',
  'read-position',
  'draft-changed',
  'receipts-changed',
  'typing',
  'presence-changed',
];

/** Whether a frame is an entry of a stream: it has a position, and is delivered after a reconnect. */
export function isDurable(type: ServerFrameType): boolean {
  return !unsequenced.includes(type);
}

/** What the API description says about a frame besides its schema. */
export interface ServerFrameDescription<Type extends ServerFrameType> {
  summary: string;
  /** The accounts whose connections receive it. */
  recipients: string;
  /** When a frame of a durable type has no position. */
  unsequenced?: string;
  /** A payload, if its schema has no example. */
  example?: ServerPayload<Type>;
}

const followers = 'in a channel also its followers';
const subscribers = `all members, ${followers}, and the account that made the change`;
const thisConnection = 'this connection only';
const bothSides = 'both accounts';

export const serverFrameDescriptions: { [Type in ServerFrameType]: ServerFrameDescription<Type> } = {
  'resume-complete': {
    summary: 'With the capability `sync`: all missed frames have been delivered; live frames follow.',
    recipients: thisConnection,
  },
  'resume-failed': {
    summary: 'With the capability `sync`: missed frames cannot be delivered; fetch the state again.',
    recipients: thisConnection,
  },
  'messages-read': {
    summary: 'With the capability `receipts`: the other account of a dm has read everything up to a sequence number.',
    recipients: 'the other account of the dm',
  },
  'read-position': {
    summary: 'With the capability `read-position`: the account has marked messages as read.',
    recipients: 'the account that acknowledged',
  },
  typing: {
    summary: 'With the capability `typing`: a member is typing. Show it for 5 s.',
    recipients: `other connected members, ${followers}`,
  },
  'presence-changed': {
    summary:
      'With the capability `presence`: a friend has connected or disconnected, or a new friend is connected already.',
    recipients: 'friends',
  },
  status: { summary: 'Whether the connection is authenticated now.', recipients: thisConnection },
  'conversation-created': {
    summary: 'A conversation was created, or has become visible to the account.',
    recipients:
      'all members of a new conversation (of a channel created by `POST /users/channels`, its creator); an account that was added, or that joins a channel by writing; an account that had left a dm, with the next message; an account that requested an existing dm (this connection only)',
    unsequenced: 'as the reply to `create-conversation` for an existing dm, which did not change',
  },
  'chat-message': { summary: 'A message was sent.', recipients: subscribers },
  'conversation-renamed': { summary: 'A conversation was renamed.', recipients: subscribers },
  'conversation-removed': {
    summary: 'A conversation no longer belongs to the account.',
    recipients: 'the account that left or was removed',
  },
  'conversation-preferences-changed': {
    summary: 'With the capability `rich`: the account has muted a conversation or made it a favourite, or the reverse.',
    recipients: 'the account',
    unsequenced: 'as the reply to a request that changes nothing',
  },
  'draft-changed': {
    summary:
      'With the capability `rich`: the account has changed a draft. An empty text means that there is none any more. After a reconnect fetch `GET /messages/drafts`.',
    recipients: 'the account',
  },
  'member-left': {
    summary: 'A member has left.',
    recipients: `the remaining members, ${followers}; the account that left receives \`conversation-removed\` instead`,
  },
  'message-deleted': { summary: 'A message was deleted.', recipients: subscribers },
  'message-edited': {
    summary: 'With the capability `rich`: the sender has replaced the text of a message.',
    recipients: subscribers,
    unsequenced: 'as the reply to a request that changes nothing',
    example: {
      id: '01K0C8N3E5F7G9H1J3K5M7N9P1',
      conversation_id: '01K0C8N2V4W6X8Y0Z2A4B6C8D0',
      content: 'hello!',
      revision: 1,
      edited_at: '2026-01-31T12:05:00.000Z',
    },
  },
  'reactions-changed': {
    summary: 'With the capability `rich`: accounts have reacted to a message, or withdrawn reactions.',
    recipients: subscribers,
    unsequenced: 'as the reply to a request that changes nothing',
    example: {
      id: '01K0C8N3E5F7G9H1J3K5M7N9P1',
      conversation_id: '01K0C8N2V4W6X8Y0Z2A4B6C8D0',
      reactions: [{ emoji: '🐝', count: 2 }],
      changes: [{ username: 'bob', emoji: '🐝', added: true }],
    },
  },
  'pins-changed': {
    summary: 'With the capability `rich`: a message was pinned or unpinned. A deleted message is not pinned any more.',
    recipients: subscribers,
    unsequenced: 'as the reply to a request that changes nothing',
  },
  'receipts-changed': {
    summary: 'With the capability `rich`: members of a small group have read it up to sequence numbers.',
    recipients: 'connected members; a block hides both sides from each other',
  },
  acknowledged: {
    summary: 'The account has acknowledged all messages of a conversation.',
    recipients: 'the account that acknowledged',
  },
  'member-added': { summary: 'An account has become a member.', recipients: subscribers },
  'member-removed': {
    summary: 'A member was removed.',
    recipients: `the remaining members, ${followers}, and the account that made the change; the removed account receives \`conversation-removed\` instead`,
  },
  'moderator-added': { summary: 'A member has become a moderator.', recipients: subscribers },
  'moderator-removed': { summary: 'A moderator has become an ordinary member.', recipients: subscribers },
  'friendship-requested': {
    summary: '`username` requests a friendship; `id` is the id of the request.',
    recipients: bothSides,
  },
  'friendship-accepted': {
    summary: 'A friend request was accepted; `username` is the other account.',
    recipients: bothSides,
  },
  'friendship-rejected': {
    summary: 'A friend request was rejected, withdrawn, or ended by a block.',
    recipients: bothSides,
  },
  'friendship-removed': {
    summary: 'A friendship has ended; `username` is the other account.',
    recipients: bothSides,
  },
  'user-blocked': { summary: 'The account has blocked `username`.', recipients: 'the account that blocks' },
  'user-unblocked': { summary: 'The account no longer blocks `username`.', recipients: 'the account that unblocks' },
  'reauthentication-required': {
    summary:
      'The authentication of this connection expires in a minute. Renew it with `GET /users/refresh-token`, or send `authenticate`.',
    recipients: thisConnection,
  },
  error: {
    summary: 'A frame of this connection was rejected. Only after `unavailable` may it have changed something.',
    recipients: thisConnection,
    example: { code: 'not-found', message: 'there is no such conversation', request_type: 'chat-message', ref: 'm-17' },
  },
};
