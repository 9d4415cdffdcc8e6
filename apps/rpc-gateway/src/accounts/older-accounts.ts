import { hiveTime, type HiveNodes } from '@waggle/chain';
import { z } from 'zod';

const page = z.object({ accounts: z.array(z.object({ name: z.string(), created: hiveTime })) });

export const listAccountsMethod = 'database_api.list_accounts';

/** The maximum of hived. */
const accountsPerCall = 1_000;

/**
 * Maximum number of pages, more than all accounts of Hive need (about 3,000): a node could invent ever new accounts.
 */
const defaultMaxPages = 5_000;

/** Created with the chain itself, without anyone's key: they have no social operations. */
const genesisAccounts = new Set(['initminer', 'miners', 'null', 'temp']);

interface ListedAccount {
  name: string;
  created: Date;
}

/** Lists accounts from a name on, a list for each node that responds. Errors as of `HiveNodes.callWorkingNodes`. */
export async function listAccounts(
  hive: Pick<HiveNodes, 'callWorkingNodes'>,
  start: string,
): Promise<ListedAccount[][]> {
  const params = { start, limit: accountsPerCall, order: 'by_name' };
  const pages = await hive.callWorkingNodes(listAccountsMethod, params, page);
  return pages.map(({ value: { accounts } }) => accounts);
}

/**
 * Whether any account was created before a time, as any node reports. Accounts are never removed, so the current list
 * contains all earlier ones. On the main network the first page has old ones. True also if the list does not end: an
 * index that may lack blocks must not count as complete.
 *
 * @throws HiveRpcError if the nodes reject the call; HiveNodesUnavailableError if none responds
 */
export async function hasAccountsBefore(
  hive: Pick<HiveNodes, 'callWorkingNodes'>,
  time: Date,
  maxPages = defaultMaxPages,
): Promise<boolean> {
  let start = '';
  for (let read = 0; read < maxPages; read += 1) {
    const lists = await listAccounts(hive, start);
    const isOlder = ({ name, created }: ListedAccount) => created < time && !genesisAccounts.has(name);
    if (lists.some((accounts) => accounts.some(isOlder))) return true;
    const full = lists.filter(({ length }) => length >= accountsPerCall);
    const names = full.map((accounts) => accounts.at(-1)?.name ?? '').sort();
    const next = names.find((name) => name > start);
    if (next === undefined) return false;
    start = next;
  }
  return true;
}
