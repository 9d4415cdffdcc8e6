import { conversationsFrames } from './conversations/conversations.frames';
import { draftsFrames } from './drafts/drafts.frames';
import { membershipFrames } from './membership/membership.frames';
import { reactionsFrames } from './reactions/reactions.frames';
import { messagesFrames } from './messages/messages.frames';
import { pinsFrames } from './pins/pins.frames';
import { type Frames } from './realtime/frame-definition';
import { relationsFrames } from './relations/relations.frames';
import { sessionsFrames } from './sessions/sessions.frames';

/**
 * The definitions of all frames that clients send, by type: `FrameRouter` dispatches them, and the API descriptions are
 * generated from them. Their schemas are `clientFrames` of `@waggle/contracts`.
 */
export const clientFrameDefinitions: Frames = {
  ...sessionsFrames,
  ...conversationsFrames,
  ...messagesFrames,
  ...reactionsFrames,
  ...pinsFrames,
  ...draftsFrames,
  ...membershipFrames,
  ...relationsFrames,
};
