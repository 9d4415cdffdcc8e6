import { z } from 'zod';
import { accountName } from '../account-name';
import { type ChatLimits, defaultChatLimits } from './limits';
import { absentIfEmpty, identifier, writtenName, writtenText } from './values';

/** The payload of every frame that a client may send, by the frame's type. */
export function clientFrames(limits: ChatLimits = defaultChatLimits) {
  const text = writtenText(limits.messageCharacters);
  const ofConversation = z.object({ conversation_id: identifier });
  const ofMember = z.object({ conversation_id: identifier, username: accountName });
  const ofUser = z.object({ username: accountName });
  const ofRequest = z.object({ id: identifier });

  return {
    authenticate: z.object({
      token: absentIfEmpty(z.string().max(4_096)).meta({
        description: 'Access token or ws_token; without it the credentials of the upgrade request count',
      }),
      username: absentIfEmpty(z.string()).meta({ description: 'Where given, must be the account of the token' }),
    }),
    'create-conversation': z.object({
      // Names are looked at by the handler: one that cannot be an account is an account that is not there.
      to: z
        .union([z.string(), z.array(z.string()).min(1)])
        .meta({ description: 'One account for a dm, a list for a group' }),
      message: text,
    }),
    'rename-conversation': z.object({ conversation_id: identifier, name: writtenName(limits.nameCharacters) }),
    'leave-conversation': ofConversation,
    'chat-message': z
      .object({
        conversation_id: absentIfEmpty(identifier),
        to: absentIfEmpty(z.unknown()).meta({
          type: ['string', 'null'],
          description: 'In a dm the other member; ignored elsewhere. Without conversation_id: the dm with this account',
        }),
        message: text,
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
  };
}

export type ClientFrames = ReturnType<typeof clientFrames>;
export type ClientFrameType = keyof ClientFrames;
/** The payload of a client frame once validated. */
export type ClientPayload<T extends ClientFrameType> = z.infer<ClientFrames[T]>;

/** A client's own mark on a frame: the answers to that frame, on that connection, carry it back beside `type`. */
export const frameReference = z.union([z.string().max(128), z.number()]);
export type FrameReference = z.infer<typeof frameReference>;

/** The longest type that is looked at; ours are shorter. */
export const frameType = z.string().max(64);
