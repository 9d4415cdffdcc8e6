import { z } from 'zod';
import { type ComparedNodes, type HiveApi } from './hive-api';
import { untrueIssue } from './untrue-result';
import { blockNumberOfId } from './block-id';
import { hiveTime } from './time';

const hiveAuthority = z.object({
  weight_threshold: z.number(),
  account_auths: z.array(z.tuple([z.string(), z.number()])),
  key_auths: z.array(z.tuple([z.string(), z.number()])),
});

/** An account as `database_api.find_accounts` returns it, with only the fields that signature checks need. */
const hiveAccount = z.object({
  name: z.string(),
  owner: hiveAuthority,
  active: hiveAuthority,
  posting: hiveAuthority,
});

/** An authority as nodes encode it: keys are text, `STM…`. */
export type HiveAuthority = z.infer<typeof hiveAuthority>;
export type HiveAccount = z.infer<typeof hiveAccount>;

/** The method that returns the head of a node. */
export const headMethod = 'database_api.get_dynamic_global_properties';

export const dynamicGlobalProperties = z
  .object({
    head_block_number: z.number(),
    head_block_id: z.string(),
    time: hiveTime,
    last_irreversible_block_num: z.int(),
  })
  .transform((properties, context) => {
    const contradiction = findContradiction(properties);
    if (contradiction !== undefined) context.issues.push(untrueIssue(properties, 'contradiction', contradiction));
    return {
      headBlockNumber: properties.head_block_number,
      headBlockId: properties.head_block_id,
      /** The time of the head block. */
      time: properties.time,
      lastIrreversibleBlockNumber: properties.last_irreversible_block_num,
    };
  });

interface HeadProperties {
  readonly head_block_number: number;
  readonly head_block_id: string;
  readonly last_irreversible_block_num: number;
}

function findContradiction(properties: HeadProperties): string | undefined {
  const { head_block_number: head, head_block_id: id, last_irreversible_block_num: irreversible } = properties;
  if (blockNumberOfId(id) !== head)
    return `block ${head} is the head, and its id is that of block ${blockNumberOfId(id)}`;
  return irreversible > head ? `block ${irreversible} is irreversible, and block ${head} the head` : undefined;
}

export type DynamicGlobalProperties = z.infer<typeof dynamicGlobalProperties>;

/** Reads the head of a node. Errors as of `HiveApi.call`. */
export function getDynamicGlobalProperties(api: HiveApi): Promise<DynamicGlobalProperties> {
  return api.call(headMethod, {}, dynamicGlobalProperties);
}

/** The method that returns the version of a node and the id of its chain. */
export const versionMethod = 'database_api.get_version';

export const nodeVersion = z.object({
  chain_id: z.string().regex(/^[0-9a-f]{64}$/),
  blockchain_version: z.string().optional(),
});

/** The method that returns accounts by name. */
export const findAccountsMethod = 'database_api.find_accounts';

const foundAccounts = z.object({ accounts: z.array(hiveAccount) });

/**
 * Reads the named accounts that exist, in the order of the node.
 *
 * @param names at most 1,000; the node rejects names longer than 16 characters
 */
export async function findAccounts(api: HiveApi, names: readonly string[]): Promise<HiveAccount[]> {
  const { accounts } = await api.call(findAccountsMethod, { accounts: names }, foundAccounts);
  return accounts;
}

/**
 * Reads an account as most nodes return it; undefined if most of them have none of this name. Errors as of
 * `ComparedNodes.majority`.
 */
export async function findAgreedAccount(api: ComparedNodes, name: string): Promise<HiveAccount | undefined> {
  const account = foundAccounts.transform(({ accounts }) => accounts.find((candidate) => candidate.name === name));
  return api.majority(findAccountsMethod, { accounts: [name] }, account);
}
