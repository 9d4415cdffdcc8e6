import { conversationsFrames } from './conversations/conversations.frames';
import { membershipFrames } from './membership/membership.frames';
import { messagesFrames } from './messages/messages.frames';
import { type Frames } from './realtime/frame-definition';
import { relationsFrames } from './relations/relations.frames';
import { sessionsFrames } from './sessions/sessions.frames';

/** All frames that clients send, by type. `app.ts` registers them with `FrameRouter`; the API descriptions are generated from them. */
export const frames: Frames = {
  ...sessionsFrames,
  ...conversationsFrames,
  ...messagesFrames,
  ...membershipFrames,
  ...relationsFrames,
};
