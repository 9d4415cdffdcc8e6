import { frame, type Frames } from '../realtime/frame-definition';
import { SocketAuthentication } from './socket-authentication';

export const sessionsFrames = {
  authenticate: frame((resolve) => resolve(SocketAuthentication), {
    price: 'plain',
    summary: 'Authenticates the connection. May be sent again at any time, also empty, to extend the authentication.',
    permission: 'anybody',
    isAnonymous: true,
    replies: ['status', 'resume-complete', 'resume-failed'],
    eventsForOthersOnly: [],
    errors: [],
    handle: (service, request, payload) => service.authenticate(request, payload),
  }),
} satisfies Partial<Frames>;
