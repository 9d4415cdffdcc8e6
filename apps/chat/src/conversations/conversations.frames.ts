import { requireAccountName } from '../accounts';
import { Attachments } from '../messages/attachments';
import { messageContentOf } from '../messages/messages.frames';
import { frame, type Frames, type Resolve } from '../realtime/frame-definition';
import { ConversationsService } from './conversations.service';

const services = (resolve: Resolve) => ({
  attachments: resolve(Attachments),
  conversations: resolve(ConversationsService),
});

/** The frame that creates dms and groups. Part of `clientFrameDefinitions` (client-frames.ts). */
export const conversationsFrames = {
  'create-conversation': frame(services, {
    price: 'creation',
    summary:
      'Creates a dm (`to` is one account) or a group (`to` is a list) with a first message, and replies with both. If the sender already has a dm with that account, the message is sent to it.',
    permission:
      'any authenticated user, unless an account in `to` blocks the sender, or accepts only friends and the sender is not one; a dm also not with oneself or with an account that the sender blocks',
    replies: ['conversation-created', 'chat-message'],
    eventsToOthers: [],
    errors: ['forbidden', 'account-not-found', 'blocked', 'friends-only', 'conflict', 'too-large'],
    handle: ({ attachments, conversations }, request, payload) => {
      const first = messageContentOf(payload, request, attachments);
      if (typeof payload.to === 'string') {
        return conversations.createDm(requireAccountName(payload.to), first, request);
      }
      return conversations.createGroup(payload.to.map(requireAccountName), first, request);
    },
  }),
} satisfies Partial<Frames>;
