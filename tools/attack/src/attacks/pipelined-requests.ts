import { attackerAddresses } from '../attacker/addresses';
import { heldResponsesJob, holdResponses } from '../attacker/held-responses';
import { loadAttack } from './load-attack';
import { longChatRequest } from './long-requests';

/** Requests that are written to one connection at once. */
const pipelined = 50;

export const pipelinedRequests = loadAttack({
  name: 'extra-3',
  summary: '50 list requests pipelined on each of ten connections to the chat, unread',
  services: ['chat'],
  job: heldResponsesJob,
  prepare: async (target) => ({
    url: target.service('chat').url,
    texts: [(await longChatRequest(target)).repeat(pipelined)],
    addresses: attackerAddresses(16, 1),
    // 1,200 requests a minute are allowed.
    atOnce: 10,
    perSecond: 0.4,
    maxOpen: 24,
  }),
  run: holdResponses,
});
