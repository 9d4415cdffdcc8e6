import { attackerAddresses } from '../attacker/addresses';
import { heldResponsesJobs, holdAllResponses } from '../attacker/held-responses';
import { loadAttack } from './load-attack';
import { longChatRequest, longDelegationRequests, longGatewayRequest, longVideoRequest } from './long-requests';

/** Of the chat, over which the addresses are spread. */
const accounts = { quick: 2, full: 10 };

export const manyAddresses = loadAttack({
  name: 'extra-2',
  summary: 'a hundred addresses, each of which holds unread responses of all four services',
  isDistributed: true,
  services: ['chat', 'rpc-gateway', 'delegation', 'video-auth'],
  job: heldResponsesJobs,
  prepare: async (target, { isQuick }) => {
    const first = await longChatRequest(target);
    const others = [];
    for (let account = 1; account < (isQuick ? accounts.quick : accounts.full); account += 1)
      others.push(await longChatRequest(target));
    // Together 200 at once and ten a second at each service: much to hold, and little to compute.
    const pace = { addresses: attackerAddresses(15, 100), atOnce: 2, perSecond: 0.1, maxOpen: 6 };
    return [
      { url: target.service('chat').url, texts: [first, ...others], ...pace },
      { url: target.service('rpc-gateway').url, texts: [longGatewayRequest(target)], ...pace },
      { url: target.service('delegation').url, texts: [longDelegationRequests(target)], ...pace },
      { url: target.service('video-auth').url, texts: [await longVideoRequest(target)], ...pace },
    ];
  },
  run: holdAllResponses,
});
