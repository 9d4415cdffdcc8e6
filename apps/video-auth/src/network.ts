import { videoNetwork } from '@waggle/contracts';
import { VideoAuthError } from './errors';

/** @throws VideoAuthError `unsupported-network` */
export function requireNetwork(network: string): void {
  if (network !== videoNetwork) {
    throw new VideoAuthError('unsupported-network', `network: only ${videoNetwork} is supported`);
  }
}
