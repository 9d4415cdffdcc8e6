import { assertionFailed } from '@waggle/contracts';

/** Methods that the network's gateways no longer support. Each fails whatever its parameters are. */
export const retiredMethods = [
  retired(
    'condenser_api.get_account_votes',
    'get_account_votes is no longer supported, for details see https://hive.blog/steemit/@steemitdev/additional-public-api-change',
  ),
  retired('condenser_api.get_state', 'condenser_api get state is not supported'),
];

function retired(name: string, message: string) {
  return { name, handle: (): Promise<never> => Promise.reject(assertionFailed(message)) };
}
