import { conversationsFrames } from './conversations/conversations.frames';
import { membershipFrames } from './membership/membership.frames';
import { messagesFrames } from './messages/messages.frames';
import { type Frames } from './realtime/frame-definition';
import { relationsFrames } from './relations/relations.frames';
import { sessionsFrames } from './sessions/sessions.frames';

/** Every frame of the contract, from the feature that handles it. */
export const frames: Frames = {
  ...sessionsFrames,
  ...conversationsFrames,
  ...messagesFrames,
  ...membershipFrames,
  ...relationsFrames,
};
