import { runEach, withDatabase } from '@waggle/testing';
import { benchPrefix } from './bench-accounts';

/** How many rows to insert. */
export interface DelegationCounts {
  delegations: number;
  /** How many of them the big account receives. */
  delegationsOfOne: number;
  /** Whether to insert two changes of each delegation, which take longer than everything else; true by default. */
  hasHistory?: boolean;
}

/** The account that receives many delegations. */
export const bigAccount = 'big';

/** The number of other accounts. Each gives and receives about eighteen delegations. */
export function accountCount({ delegations }: Pick<DelegationCounts, 'delegations'>): number {
  return Math.max(100, Math.floor(delegations / 18));
}

/** The last block of the index. */
const block = 1_000_000;

/**
 * Fills the tables. `$1` delegations, `$2` of them to the big account, `$3` other accounts.
 *
 * The delegations of the other accounts are spread evenly. Those to the big one are far apart in the table, as if they
 * had been made over years.
 */
const fill = [
  `INSERT INTO index_state (synced_block, synced_time, irreversible_block, loaded_from, loaded_to, returns_loaded_to,
     history_from, as_of_from, next_delegation_id)
   VALUES (${block}, now(), ${block}, 0, 0, 0, 1, 0, $1::bigint + 1)`,
  `INSERT INTO delegation (id, delegator, delegatee, amount)
   SELECT n,
     CASE WHEN n % ($1::bigint / $2::bigint) = 0 THEN 'from-' || n ELSE '${benchPrefix}' || n % $3::bigint END,
     CASE WHEN n % ($1::bigint / $2::bigint) = 0 THEN '${bigAccount}'
          ELSE '${benchPrefix}' || (n % $3::bigint + 1 + n / $3::bigint) % $3::bigint END,
     1000000 + n
   FROM generate_series(1, $1::bigint) n`,
  `INSERT INTO account_balance (account, total_in, total_out)
   SELECT account, sum(given), sum(gives) FROM (
     SELECT delegatee AS account, amount AS given, 0 AS gives FROM delegation
     UNION ALL SELECT delegator, 0, amount FROM delegation) both_sides GROUP BY account`,
];

/** Each delegation was changed once. The id of a change is its block times 2^20, plus its position. */
const fillHistory = `
  INSERT INTO delegation_change (id, delegation_id, delegator, delegatee, amount, created)
  SELECT (1 + id % ${block}) * 1048576 + change * 500000 + id / ${block}, id, delegator, delegatee, amount, now()
  FROM delegation CROSS JOIN generate_series(0, 1) change`;

/** Fills the tables and vacuums them, as autovacuum would do later. */
export async function fillDelegations(databaseUrl: string, sizes: DelegationCounts): Promise<void> {
  const texts = sizes.hasHistory === false ? fill : [...fill, fillHistory];
  const values = [sizes.delegations, sizes.delegationsOfOne, accountCount(sizes)];
  await withDatabase(databaseUrl, (client) => runEach(client, [...texts, 'VACUUM (FREEZE, ANALYZE)'], values));
}
