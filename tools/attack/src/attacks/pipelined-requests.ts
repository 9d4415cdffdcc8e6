import { attackerAddresses } from '../traffic/addresses';
import { cut, heldResponsesJob, holdResponses } from '../traffic/hold-responses';
import { hasCounted, loadAttack } from './attack';
import { longChatRequest } from './long-requests';

/** Requests written to one connection at once; 16 are accepted. */
const pipelined = 50;

export const pipelinedRequests = loadAttack({
  name: 'extra-3',
  summary: '50 list requests pipelined on each of ten connections to the chat, unread',
  services: ['chat'],
  job: heldResponsesJob,
  isLimited: hasCounted(cut),
  prepare: async (target, size) => ({
    url: target.service('chat').url,
    texts: [(await longChatRequest(target, size)).repeat(pipelined)],
    addresses: attackerAddresses(16, 1),
    // 1,200 requests a minute are allowed.
    burst: 10,
    perSecond: 0.4,
    maxOpen: 24,
  }),
  run: holdResponses,
});
