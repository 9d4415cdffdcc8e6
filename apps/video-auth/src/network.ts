import { videoNetwork } from '@waggle/contracts';
import { VideoAuthError } from './errors';

/** Rejects networks other than Hive, which requests may name. @throws VideoAuthError `unsupported-network` */
export function requireNetwork(network: string): void {
  if (network !== videoNetwork) {
    throw new VideoAuthError('unsupported-network', `network: only ${videoNetwork} is supported`);
  }
}
