import { type ServiceName } from '../target/services';
import { type Target } from '../target/target';
import { startHonestChat } from './chat';
import { startHonestDelegation } from './delegation';
import { startHonestGateway } from './gateway';
import { type HonestClient } from './honest-client';
import { HonestLoad } from './honest-load';
import { startHonestVideoAuth } from './video-auth';

const starts: Record<ServiceName, (target: Target) => HonestClient | Promise<HonestClient>> = {
  chat: startHonestChat,
  delegation: startHonestDelegation,
  'rpc-gateway': startHonestGateway,
  'video-auth': startHonestVideoAuth,
};

/**
 * The share of the rate in a short form, whose latencies do not count. On a busy machine, at the full rate, the list
 * reads of the account would queue behind one another until they time out.
 */
const quickRate = 0.2;

/** Starts an honest client of the service, which works until it is stopped. */
export async function startHonest(name: ServiceName, target: Target): Promise<HonestLoad> {
  return new HonestLoad(await starts[name](target), target.size.isQuick ? quickRate : 1);
}
