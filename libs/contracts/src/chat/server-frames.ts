import { z } from 'zod';
import { accountName } from '../account-name';
import { frameErrorCode } from './error-codes';
import { capability, frameReference, type Capability } from './client-frames';
import { conversation, message } from './resources';
import { identifier } from './values';

const ofConversation = z.object({ conversation_id: identifier });
const ofMember = z.object({ conversation_id: identifier, username: accountName });
const ofFriendRequest = z.object({ id: identifier, username: accountName });
const ofBlock = z.object({
  conversation_id: identifier.nullable().meta({ description: 'The dm of the two, where there is one' }),
  username: accountName,
});

/** Where an entry stands in its stream. */
const place = z.int().min(0).meta({ description: 'Place in the stream; grows' });
const cursor = z.string().meta({ description: 'Opaque: all that happened before it has been told here' });

/** What a durable frame carries beside `type` and `payload` on a connection with the capability `sync`. */
export const framePlace = z.object({
  stream: z.string().meta({ description: 'The conversation, or the account itself' }),
  seq: place,
  cursor,
});
export type FramePlace = z.infer<typeof framePlace>;

/** The payload of every frame that the server sends, by the frame's type. */
export const serverFrames = {
  status: z.object({
    authenticated: z.boolean(),
    capabilities: z.array(capability).optional().meta({ description: 'Those asked for that are known' }),
    cursor: cursor.optional().meta({
      description:
        'Opaque: all that happened before it has been told here. Not where `resume` was asked for: `resume-complete` and `resume-failed` have it then',
    }),
  }),
  'conversation-created': conversation,
  'chat-message': message,
  'conversation-renamed': z.object({ conversation_id: identifier, name: z.string() }),
  'conversation-removed': z.object({ id: identifier }),
  'member-left': z.object({ conversation_id: identifier, member: accountName }),
  'message-deleted': z.object({ id: identifier }),
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
    username: accountName.meta({ description: 'Who has read' }),
    seq: place,
  }),
  typing: ofMember,
  'presence-changed': z.object({ username: accountName, online: z.boolean() }),
  error: z.object({
    code: frameErrorCode,
    message: z.string().meta({ description: 'For people; may change' }),
    request_type: z.string().nullable().meta({ description: 'Type of the frame that failed, null where it had none' }),
    ref: frameReference.optional(),
    retry_after_ms: z.int().optional().meta({ description: 'When to try again, where trying again can help' }),
  }),
};

/** Those that only a connection hears that has asked for it. */
export const extendedServerFrames = {
  'resume-complete': 'sync',
  'resume-failed': 'sync',
  'messages-read': 'receipts',
  typing: 'typing',
  'presence-changed': 'presence',
} as const satisfies Partial<Record<keyof typeof serverFrames, Capability>>;

export type ServerFrames = typeof serverFrames;
export type ServerFrameType = keyof ServerFrames;
/** Those of the interface document. */
export type DocumentedServerFrameType = Exclude<ServerFrameType, keyof typeof extendedServerFrames>;
export type ServerPayload<T extends ServerFrameType> = z.infer<ServerFrames[T]>;
