import { hiveTime, type HiveNodes } from '@waggle/chain';
import { z } from 'zod';

const page = z.object({ accounts: z.array(z.object({ name: z.string(), created: hiveTime })) });

export const listAccountsMethod = 'database_api.list_accounts';

/** The maximum of hived. */
const accountsPerCall = 1_000;

/** Created with the chain itself, without anyone's key: they have no social operations. */
const genesisAccounts = new Set(['initminer', 'miners', 'null', 'temp']);

/**
 * Whether any account was created before a time, as any node reports. Accounts are never removed, so the current list
 * contains all earlier ones. On the main network the first page has old ones.
 *
 * @throws HiveRpcError if the nodes reject the call; HiveNodesUnavailableError if none responds
 */
export async function hasAccountsBefore(hive: Pick<HiveNodes, 'callWorkingNodes'>, time: Date): Promise<boolean> {
  for (let start = ''; ;) {
    const params = { start, limit: accountsPerCall, order: 'by_name' };
    const pages = await hive.callWorkingNodes(listAccountsMethod, params, page);
    const lists = pages.map(({ value: { accounts } }) => accounts);
    const isOlder = ({ name, created }: { name: string; created: Date }) =>
      created < time && !genesisAccounts.has(name);
    if (lists.some((accounts) => accounts.some(isOlder))) return true;
    const full = lists.filter(({ length }) => length >= accountsPerCall);
    const [next = start] = full.map((accounts) => accounts.at(-1)?.name ?? start).sort();
    if (next === start) return false;
    start = next;
  }
}
