import { z } from 'zod';
import { type HiveApi } from './hive-api';
import { hiveAccount, type HiveAccount } from './account';

const accounts = z.array(hiveAccount);

/** As `findAccounts`, by the older API, which is the only one that some nodes serve. */
export function getAccounts(api: HiveApi, names: readonly string[]): Promise<HiveAccount[]> {
  return api.call('condenser_api.get_accounts', [names], accounts);
}
