import { requireAccountName } from '../accounts';
import { contentOf } from '../messages/messages.frames';
import { frame, type Frames } from '../realtime/frame-definition';
import { ConversationsService } from './conversations.service';

export const conversationsFrames = {
  'create-conversation': frame((resolve) => resolve(ConversationsService), {
    price: 'creation',
    summary:
      'Creates a dm (`to` is one account) or a group (`to` is a list) with a first message. If the two have a dm already, the message goes into it.',
    permission:
      'any authenticated user; not with an account that blocks the sender, or that accepts only friends and is not a friend of the sender',
    replies: ['conversation-created', 'chat-message'],
    otherEvents: [],
    errors: ['forbidden', 'account-not-found', 'blocked', 'friends-only', 'conflict', 'too-large'],
    handle: (service, request, payload) => {
      const first = contentOf(payload, request);
      if (typeof payload.to === 'string') {
        return service.openDm(requireAccountName(payload.to), first, request);
      }
      return service.createGroup(payload.to.map(requireAccountName), first, request);
    },
  }),
} satisfies Partial<Frames>;
