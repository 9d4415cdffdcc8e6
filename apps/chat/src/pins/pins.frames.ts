import { frame, type Frames, type Resolve } from '../realtime/frame-definition';
import { PinsService } from './pins.service';

const pins = (resolve: Resolve) => resolve(PinsService);

const description = {
  price: 'change',
  permission: 'in a dm both accounts; in a group or channel the creator and moderators, in a channel admins',
  replies: ['pins-changed'],
  eventsToOthers: [],
  errors: ['forbidden', 'not-found', 'blocked', 'friends-only', 'too-large', 'unknown-type'],
} as const;

/** Frames that pin messages. Part of `clientFrameDefinitions` (client-frames.ts). */
export const pinsFrames = {
  'pin-message': frame(pins, {
    ...description,
    summary: 'With the capability `rich`: pins a message. May be repeated.',
    handle: (service, request, { id }) => service.change(id, true, request),
  }),
  'unpin-message': frame(pins, {
    ...description,
    summary: 'With the capability `rich`: unpins a message. May be repeated.',
    handle: (service, request, { id }) => service.change(id, false, request),
  }),
} satisfies Partial<Frames>;
