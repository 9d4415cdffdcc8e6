import { assertionFailed } from '@waggle/contracts';
import { type Declaration } from '../declaration/declaration';

/** Methods that the network's gateways no longer support. Each fails with any parameters. */
export const retiredMethods = [
  ...['condenser_api', 'tags_api'].map((namespace) =>
    retired(
      `${namespace}.get_account_votes`,
      'get_account_votes is no longer supported, for details see https://hive.blog/steemit/@steemitdev/additional-public-api-change',
    ),
  ),
  retired('condenser_api.get_state', 'condenser_api get state is not supported'),
];

function retired(name: string, message: string): Pick<Declaration, 'name' | 'needs' | 'prepare'> {
  const prepare = (): never => {
    throw assertionFailed(message);
  };
  return { name, needs: [], prepare };
}
