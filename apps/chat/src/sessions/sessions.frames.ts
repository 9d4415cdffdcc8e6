import { frame, type Frames } from '../realtime/frame-definition';
import { SocketAuthentication } from './socket-authentication';

/** The frame that authenticates connections. Part of `clientFrameDefinitions` (client-frames.ts). */
export const sessionsFrames = {
  authenticate: frame((resolve) => resolve(SocketAuthentication), {
    /** Plus `resumePrice` for a resume. */
    price: 'plain',
    summary:
      'Authenticates the connection by a token; without one, by the upgrade request. Sent again, it extends the authentication, also without a token, or changes the account. If the credentials are invalid, `status` says so and the connection is closed.',
    permission: 'anybody',
    beforeAuthentication: true,
    replies: ['status', 'resume-complete', 'resume-failed'],
    eventsToOthers: [],
    errors: [],
    handle: (authentication, request, payload) => authentication.authenticate(request, payload),
  }),
} satisfies Partial<Frames>;
