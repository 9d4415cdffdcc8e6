import { z } from 'zod';
import { absentIfEmpty } from '../absent-if-empty';
import { accountName } from '../account-name';
import { emoji, storedEmoji } from './emoji';
import { type ChatLimits, defaultChatLimits, maxAttachments } from './limits';
import { identifier } from './values';
import { writtenName } from './written-name';
import { boundedText, writtenText } from './written-text';

/** Extensions that a connection may request in `authenticate`. They do not affect other connections. */
export const capability = z.enum(['sync', 'client-id', 'receipts', 'read-position', 'typing', 'presence', 'rich']);
export type Capability = z.infer<typeof capability>;

/** The idempotency key of a message: with the capability `client-id` a repetition stores nothing. */
export const clientIdentifier = z.compile(
  z
    .string()
    .min(1)
    .max(64)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not contain NUL or an unpaired surrogate'),
);
/** Validated by the handler, since it is ignored on connections without the capability. */
const clientId = z.unknown().optional().meta({
  type: 'string',
  description:
    'With the capability client-id: 1 to 64 characters; a repetition within 24 hours gets the first result, and `conflict` if the text differs',
});

/** The last message that a client has shown: with the capability `read-position` it marks no later ones. */
export const acknowledgedSeq = z.compile(z.int().min(0));
/** Validated by the handler, as `clientId`. */
const upTo = z.unknown().optional().meta({
  type: 'integer',
  minimum: 0,
  description: 'With the capability read-position: marks only messages up to this sequence number',
});

/** The message that a message replies to. Validated by the handler, as `clientId`. */
const replyTo = z.unknown().optional().meta({
  type: 'string',
  description: 'With the capability rich: the id of the message of the same conversation that this one replies to',
});

/** The files that a message refers to. Validated by the handler, as `clientId`. */
const attachments = z
  .unknown()
  .optional()
  .meta({
    type: 'array',
    description: `With the capability rich: at most ${maxAttachments} files, each an \`Attachment\` on a host that the operator allows. Their URLs are added to the text, one per line, unless it ends with them`,
  });

/**
 * The payload of every frame that a client may send, by type. Compile the schemas (`z.compile`) to parse many frames.
 */
export function clientFrames(limits: ChatLimits = defaultChatLimits) {
  const text = writtenText(limits.messageCharacters);
  const ofConversation = z.object({ conversation_id: identifier });
  const ofMember = z.object({ conversation_id: identifier, username: accountName });
  const ofUser = z.object({ username: accountName });
  const ofRequest = z.object({ id: identifier });
  const message = identifier.meta({ description: 'The message' });

  return {
    authenticate: z.object({
      token: absentIfEmpty(z.string().max(4_096)).meta({
        description:
          'Access token or ws_token. By default the credentials of the upgrade request; if the token has expired, cookies of the same account on that request',
      }),
      username: absentIfEmpty(z.string()).meta({ description: 'If present, must be the account of the token' }),
      capabilities: absentIfEmpty(z.array(z.string().max(64)).max(32)).meta({
        description: `Extensions that the client requests: ${capability.options.join(', ')}`,
      }),
      resume: absentIfEmpty(z.string().max(256)).meta({
        description: 'With the capability sync: the last cursor of a previous connection',
      }),
    }),
    'create-conversation': z.object({
      // The handler validates names: an invalid one is reported as `account-not-found`.
      to: z
        .union([z.string(), z.array(z.string()).min(1)])
        .meta({ description: 'One account for a dm, a list for a group' }),
      message: text,
      attachments,
      client_id: clientId,
    }),
    'rename-conversation': z.object({ conversation_id: identifier, name: writtenName(limits.nameCharacters) }),
    'leave-conversation': ofConversation,
    'set-conversation-preferences': z.object({
      conversation_id: identifier,
      muted: absentIfEmpty(z.boolean()).meta({ description: 'By default as before' }),
      favourite: absentIfEmpty(z.boolean()).meta({ description: 'By default as before' }),
    }),
    'set-draft': z.object({
      conversation_id: identifier,
      text: boundedText(limits.messageCharacters).meta({
        description: `At most ${limits.messageCharacters} characters, no control characters except tab and line breaks; an empty text deletes the draft`,
      }),
      reply_to: absentIfEmpty(identifier).meta({
        description: 'The id of the message of the conversation that the draft replies to',
      }),
    }),
    'chat-message': z
      .object({
        conversation_id: absentIfEmpty(identifier),
        to: absentIfEmpty(z.unknown()).meta({
          type: ['string', 'null'],
          description:
            'Without conversation_id: sends to the dm with this account. Ignored if there is a conversation_id',
        }),
        message: text,
        reply_to: replyTo,
        attachments,
        client_id: clientId,
      })
      .refine((frame) => frame.conversation_id !== undefined || typeof frame.to === 'string', {
        path: ['conversation_id'],
        message: 'conversation_id, or the account of a dm in to, is required',
      })
      // Refinements are not part of generated schemas.
      .meta({
        anyOf: [{ required: ['conversation_id'] }, { required: ['to'], properties: { to: { type: 'string' } } }],
      }),
    'delete-message': ofRequest,
    'edit-message': z.object({ id: identifier, message: text }),
    'add-reaction': z.object({ id: message, emoji }),
    'remove-reaction': z.object({ id: message, emoji: storedEmoji }),
    acknowledgment: z.object({ conversation_id: identifier, seq: upTo }),
    'pin-message': z.object({ id: message }),
    'unpin-message': z.object({ id: message }),
    'mark-unread': z.object({ id: message }),
    'add-member': ofMember,
    'remove-member': ofMember,
    'add-moderator': ofMember,
    'remove-moderator': ofMember,
    'request-friendship': ofUser,
    'accept-friendship': ofRequest,
    'reject-friendship': ofRequest,
    'remove-friendship': ofUser,
    'block-user': ofUser,
    'unblock-user': ofUser,
    typing: ofConversation,
  };
}

type ClientFrames = ReturnType<typeof clientFrames>;
export type ClientFrameType = keyof ClientFrames;

/** Frames that only connections with a capability may send. */
export const extendedClientFrames = {
  typing: 'typing',
  'mark-unread': 'read-position',
  'set-conversation-preferences': 'rich',
  'set-draft': 'rich',
  'pin-message': 'rich',
  'unpin-message': 'rich',
  'edit-message': 'rich',
  'add-reaction': 'rich',
  'remove-reaction': 'rich',
} as const satisfies Partial<Record<ClientFrameType, Capability>>;
/** The frames that need no capability. */
export type BaseClientFrameType = Exclude<ClientFrameType, keyof typeof extendedClientFrames>;
/** The validated payload of a client frame. */
export type ClientPayload<T extends ClientFrameType> = z.infer<ClientFrames[T]>;

/**
 * A client's reference of a frame: the replies to the frame, on the same connection, carry it beside `type`. Larger
 * numbers would come back changed, since JSON numbers are read as doubles.
 */
export const frameReference = z.compile(
  z.union([z.string().max(128), z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)]),
);
export type FrameReference = z.infer<typeof frameReference>;

/** The type of a frame. */
export const frameType = z.compile(z.string().max(64));
