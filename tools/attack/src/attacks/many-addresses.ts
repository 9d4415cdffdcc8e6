import { type Size } from '../target/size';
import { type Target } from '../target/target';
import { attackerAddresses } from '../traffic/addresses';
import { heldResponsesJobs, holdAllResponses, type HeldResponsesJob } from '../traffic/hold-responses';
import { loadAttack } from './attack';
import { longChatRequest, longDelegationRequests, longGatewayRequest, longVideoRequest } from './long-requests';

/** Accounts of the chat, over which the addresses are spread. */
const accounts = 10;

export const manyAddresses = loadAttack({
  name: 'extra-2',
  summary: 'a hundred addresses, each of which holds unread responses of all four services',
  isDistributed: true,
  services: ['chat', 'rpc-gateway', 'delegation', 'video-auth'],
  job: heldResponsesJobs,
  isLimited: ({ 'status 429': own = 0, 'status 503': others = 0 }) => own + others > 0,
  prepare: async (target, size) => {
    // Together 200 at once and ten a second at each service: much to hold, and little to compute.
    const pace = { addresses: attackerAddresses(15, 100), burst: 2, perSecond: 0.1, maxOpen: 6 };
    const gateway = {
      url: target.service('rpc-gateway').url,
      texts: [longGatewayRequest(target, size.isQuick ? 20 : 5)],
      ...pace,
    };
    return [...(await otherServices(target, size, pace)), gateway];
  },
  run: holdAllResponses,
});

/** In a short form only the gateway is attacked, whose cached responses cost the least to build. */
async function otherServices(
  target: Target,
  size: Size,
  pace: Omit<HeldResponsesJob, 'url' | 'texts'>,
): Promise<HeldResponsesJob[]> {
  if (size.isQuick) return [];
  const first = await longChatRequest(target, size);
  const others = [];
  for (let account = 1; account < accounts; account += 1) others.push(await longChatRequest(target, size));
  return [
    { url: target.service('chat').url, texts: [first, ...others], ...pace },
    { url: target.service('delegation').url, texts: [longDelegationRequests(target)], ...pace },
    { url: target.service('video-auth').url, texts: [await longVideoRequest(target)], ...pace },
  ];
}
