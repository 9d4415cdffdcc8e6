import { fillVideoSessions } from '../target/video-rows';
import { attackerAddresses } from '../traffic/addresses';
import { getText, heldResponsesJob, holdResponses, nextPage, tooLong } from '../traffic/hold-responses';
import { hasCounted, loadAttack } from './attack';
import { listRequestPace, maxListBytes } from './unread-lists';

export const unreadVideoSessions = loadAttack({
  name: 'high-1-video-sessions',
  summary: '60 parallel GET /api/v1/auth/sessions of 40,000 sessions, unread',
  services: ['video-auth'],
  job: heldResponsesJob,
  // Pages of 100 sessions are so short that all allowed requests stay below the limit of bytes.
  isLimited: hasCounted(nextPage),
  forbidden: [tooLong],
  prepare: async (target, { isQuick }) => {
    const account = target.newAccount();
    const token = await target.logInToVideo(account);
    await fillVideoSessions(target, account, isQuick ? 1_000 : 40_000);
    const { url } = target.service('video-auth');
    const text = getText(url, '/api/v1/auth/sessions', { authorization: `Bearer ${token}` });
    return {
      url,
      texts: [text],
      addresses: attackerAddresses(6, 1),
      ...listRequestPace,
      maxResponseBytes: maxListBytes,
    };
  },
  run: holdResponses,
});
