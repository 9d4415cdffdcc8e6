import { attackerAddresses } from '../attacker/addresses';
import { heldResponsesJob, holdResponses } from '../attacker/held-responses';
import { getText } from '../attacker/http-text';
import { fillVideoSessions } from '../target/video-rows';
import { loadAttack } from './load-attack';
import { rate } from './unread-lists';

export const unreadVideoSessions = loadAttack({
  name: 'high-1-video-sessions',
  summary: '60 parallel GET /api/v1/auth/sessions of 40,000 sessions, unread',
  services: ['video-auth'],
  job: heldResponsesJob,
  prepare: async (target) => {
    const account = target.newAccount();
    const token = await target.logInToVideo(account);
    await fillVideoSessions(target, account, 40_000);
    const { url } = target.service('video-auth');
    const text = getText(url, '/api/v1/auth/sessions', { authorization: `Bearer ${token}` });
    return { url, texts: [text], addresses: attackerAddresses(6, 1), ...rate };
  },
  run: holdResponses,
});
