import { attackerAddresses } from '../traffic/addresses';
import { heldResponsesJobs, holdAllResponses } from '../traffic/hold-responses';
import { hasCounted } from './attack';
import { loadAttack } from './load-attack';
import { longChatRequest, longGatewayRequest } from './long-requests';

export const slowReaders = loadAttack({
  name: 'extra-1',
  summary: '60 readers of long responses of the chat and the gateway, each of one byte in ten seconds',
  services: ['chat', 'rpc-gateway'],
  job: heldResponsesJobs,
  isLimited: hasCounted('status 429'),
  prepare: async (target, size) => {
    const reading = { bytes: 1, everyMs: 10_000 };
    const pace = { addresses: attackerAddresses(14, 1), burst: 60, perSecond: 2, maxOpen: 100, reading };
    return [
      { url: target.service('chat').url, texts: [await longChatRequest(target, size)], ...pace },
      { url: target.service('rpc-gateway').url, texts: [longGatewayRequest(target)], ...pace },
    ];
  },
  run: holdAllResponses,
});
