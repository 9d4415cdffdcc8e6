import { frame, type Frames } from '../realtime/frame-definition';
import { DraftsService } from './drafts.service';

/** The frame that changes a draft. Part of `clientFrameDefinitions` (client-frames.ts). */
export const draftsFrames = {
  'set-draft': frame((resolve) => resolve(DraftsService), {
    price: 'change',
    summary:
      'With the capability `rich`: replaces the draft of the account in a conversation, or deletes it. May be repeated.',
    permission: 'members',
    replies: ['draft-changed'],
    eventsToOthers: [],
    errors: ['not-found', 'too-large', 'unknown-type'],
    handle: (service, request, payload) => service.set(payload, request),
  }),
} satisfies Partial<Frames>;
