import { frame, type Frames, type Resolve } from '../realtime/frame-definition';
import { ReactionsService } from './reactions.service';

const reactions = (resolve: Resolve) => resolve(ReactionsService);

const description = {
  price: 'change',
  permission: 'members who may write',
  replies: ['reactions-changed'],
  eventsToOthers: [],
  errors: ['forbidden', 'not-found', 'blocked', 'friends-only', 'too-large', 'unknown-type'],
} as const;

/** Frames that react to messages. Part of `clientFrameDefinitions` (client-frames.ts). */
export const reactionsFrames = {
  'add-reaction': frame(reactions, {
    ...description,
    summary: 'With the capability `rich`: reacts to a message with an emoji. May be repeated.',
    handle: (service, request, payload) => service.change(payload, true, request),
  }),
  'remove-reaction': frame(reactions, {
    ...description,
    summary: 'With the capability `rich`: withdraws the reaction with an emoji. May be repeated.',
    handle: (service, request, payload) => service.change(payload, false, request),
  }),
} satisfies Partial<Frames>;
