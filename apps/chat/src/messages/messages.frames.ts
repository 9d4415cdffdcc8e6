import { type ClientPayload } from '@waggle/contracts';
import { requireAccountName } from '../accounts';
import { frame, type Frames, type Resolve } from '../realtime/frame-definition';
import { type FrameRequest } from '../realtime/frame-request';
import { Attachments, withUrls } from './attachments';
import { DeletionService } from './deletion.service';
import { EditingService } from './editing.service';
import { DirectConversations } from './direct-conversations';
import { MessagesService } from './messages.service';
import { type MessageContent } from '../log/append-messages';
import { Typing } from './typing';

const services = (resolve: Resolve) => ({
  attachments: resolve(Attachments),
  messages: resolve(MessagesService),
  conversations: resolve(DirectConversations),
});

/** Frames for sending, typing, reading and deleting messages. Part of `clientFrameDefinitions` (client-frames.ts). */
export const messagesFrames = {
  'chat-message': frame(services, {
    price: 'plain',
    summary:
      'Sends a message to a conversation or, without `conversation_id`, to the dm with the account `to`, creating the dm if necessary.',
    permission: 'members; in a channel any account that was not removed from it: it becomes a member',
    replies: ['chat-message', 'conversation-created', 'member-added'],
    eventsToOthers: [],
    errors: ['forbidden', 'not-found', 'account-not-found', 'blocked', 'friends-only', 'conflict', 'too-large'],
    /** With a `conversation_id`, `to` is ignored, and the next frame does not wait until this message is stored. */
    handle: ({ attachments, messages, conversations }, request, payload): void | Promise<void> => {
      const content = messageContentOf(payload, request, attachments);
      const { conversation_id: conversationId } = payload;
      if (conversationId === undefined) return conversations.sendDm(requireAccountName(payload.to), content, request);
      request.runInBackground(messages.send(conversationId, content, request));
    },
  }),
  acknowledgment: frame((resolve) => resolve(MessagesService), {
    price: 'plain',
    summary:
      'Marks everything in the conversation, or with the capability `sync` what the connection has received, as read by the sender; with the capability `read-position` up to `seq`. May be repeated.',
    permission: 'members; in a channel any account',
    replies: ['acknowledged', 'read-position'],
    eventsToOthers: ['messages-read'],
    errors: ['not-found'],
    handle: (service, request, payload) => {
      const upToSeq = request.acknowledgedSeqOf(payload);
      return upToSeq === null
        ? service.acknowledge(payload.conversation_id, request)
        : service.acknowledgeUpTo(payload.conversation_id, upToSeq, request);
    },
  }),
  'mark-unread': frame((resolve) => resolve(MessagesService), {
    price: 'change',
    summary:
      'With the capability `read-position`: marks a message and all later ones as unread for the account alone. Receipts stay. May be repeated.',
    permission: 'members',
    replies: ['read-position'],
    eventsToOthers: [],
    errors: ['not-found', 'unknown-type'],
    handle: (service, request, payload) => service.markUnread(payload.id, request),
  }),
  typing: frame((resolve) => resolve(Typing), {
    price: 'plain',
    summary: 'With the capability `typing`: the account is typing in a conversation. Send it at most every 3 s.',
    permission: 'members who may write',
    replies: [],
    eventsToOthers: ['typing'],
    errors: ['forbidden', 'not-found', 'blocked', 'friends-only', 'unknown-type'],
    handle: (service, request, payload) => service.broadcast(payload, request),
  }),
  'delete-message': frame((resolve) => resolve(DeletionService), {
    price: 'change',
    summary: 'Deletes a message for all accounts.',
    permission: 'its sender; in a group or channel also the creator and moderators, in a channel admins',
    replies: ['message-deleted'],
    eventsToOthers: [],
    errors: ['forbidden', 'not-found'],
    handle: (service, request, payload) => service.deleteMessage(payload.id, request),
  }),
  'edit-message': frame((resolve) => resolve(EditingService), {
    price: 'change',
    summary: 'With the capability `rich`: replaces the text of a message.',
    permission: 'its sender, if it may still write in the conversation',
    replies: ['message-edited'],
    eventsToOthers: [],
    errors: ['forbidden', 'not-found', 'blocked', 'friends-only', 'too-large', 'too-late', 'unknown-type'],
    handle: (service, request, payload) => service.edit(payload, request),
  }),
} satisfies Partial<Frames>;

/** Returns what a frame says of a new message. @throws ChatError `invalid-frame`, and as `Attachments.of` */
export function messageContentOf(
  payload: Pick<ClientPayload<'chat-message'>, 'message' | 'client_id' | 'attachments'> & { reply_to?: unknown },
  request: FrameRequest,
  validator: Attachments,
): MessageContent {
  const attachments = validator.of(payload, request);
  return {
    content: withUrls(payload.message, attachments),
    attachments,
    clientId: request.idempotencyKeyOf(payload),
    replyTo: request.replyToOf(payload),
  };
}
