import { z } from 'zod';
import { accountName } from '../account-name';
import { type ChatLimits, defaultChatLimits } from './limits';
import { absentIfEmpty, identifier, writtenName, writtenText } from './values';

/** What a connection may ask for in `authenticate`; nobody else sees any of it. */
export const capability = z.enum(['sync', 'client-id', 'receipts', 'typing', 'presence']);
export type Capability = z.infer<typeof capability>;

/** A client's own mark on what it writes: with the capability `client-id` a repeat stores nothing. */
export const clientIdentifier = z.compile(
  z
    .string()
    .min(1)
    .max(64)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not contain NUL or half a character'),
);
/** Looked at by the handler: to a connection without the capability it may be anything. */
const clientId = z.unknown().optional().meta({
  type: 'string',
  description:
    'With the capability client-id: 1 to 64 characters; a repeat within 24 hours answers the first result, one with another text `conflict`',
});

/** The payload of every frame that a client may send, by the frame's type. To be compiled (`z.compile`) where many are read. */
export function clientFrames(limits: ChatLimits = defaultChatLimits) {
  const text = writtenText(limits.messageCharacters);
  const ofConversation = z.object({ conversation_id: identifier });
  const ofMember = z.object({ conversation_id: identifier, username: accountName });
  const ofUser = z.object({ username: accountName });
  const ofRequest = z.object({ id: identifier });

  return {
    authenticate: z.object({
      token: absentIfEmpty(z.string().max(4_096)).meta({
        description:
          'Access token or ws_token; without it the credentials of the upgrade request count, and if it has expired cookies of the same account on that request',
      }),
      username: absentIfEmpty(z.string()).meta({ description: 'Where given, must be the account of the token' }),
      capabilities: absentIfEmpty(z.array(z.string().max(64)).max(32)).meta({
        description: `What the client asks for beyond the documented frames: ${capability.options.join(', ')}`,
      }),
      resume: absentIfEmpty(z.string().max(256)).meta({
        description: 'The last cursor of a former connection, with the capability sync',
      }),
    }),
    'create-conversation': z.object({
      // Names are looked at by the handler: one that cannot be an account is an account that is not there.
      to: z
        .union([z.string(), z.array(z.string()).min(1)])
        .meta({ description: 'One account for a dm, a list for a group' }),
      message: text,
      client_id: clientId,
    }),
    'rename-conversation': z.object({ conversation_id: identifier, name: writtenName(limits.nameCharacters) }),
    'leave-conversation': ofConversation,
    'chat-message': z
      .object({
        conversation_id: absentIfEmpty(identifier),
        to: absentIfEmpty(z.unknown()).meta({
          type: ['string', 'null'],
          description:
            'Without conversation_id: the dm with this account is written to. Ignored beside conversation_id',
        }),
        message: text,
        client_id: clientId,
      })
      .refine((frame) => frame.conversation_id !== undefined || typeof frame.to === 'string', {
        path: ['conversation_id'],
        message: 'conversation_id, or the account of a dm in to, is required',
      })
      // A refinement is in no generated schema.
      .meta({
        anyOf: [{ required: ['conversation_id'] }, { required: ['to'], properties: { to: { type: 'string' } } }],
      }),
    'delete-message': ofRequest,
    acknowledgment: ofConversation,
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

export type ClientFrames = ReturnType<typeof clientFrames>;
export type ClientFrameType = keyof ClientFrames;

/** Those that only a connection may send that has asked for it. */
export const extendedClientFrames = { typing: 'typing' } as const satisfies Partial<
  Record<ClientFrameType, Capability>
>;
/** Those of the interface document. */
export type DocumentedClientFrameType = Exclude<ClientFrameType, keyof typeof extendedClientFrames>;
/** The payload of a client frame once validated. */
export type ClientPayload<T extends ClientFrameType> = z.infer<ClientFrames[T]>;

/** A client's own mark on a frame: the answers to that frame, on that connection, carry it back beside `type`. */
export const frameReference = z.compile(z.union([z.string().max(128), z.number()]));
export type FrameReference = z.infer<typeof frameReference>;

/** The longest type that is looked at; ours are shorter. */
export const frameType = z.compile(z.string().max(64));
