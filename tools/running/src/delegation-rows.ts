import { Client } from 'pg';

/** How many rows to insert. */
export interface DelegationCounts {
  delegations: number;
  /** How many of them the big account receives. */
  delegationsOfOne: number;
}

/** The account that is given many delegations. */
export const bigAccount = 'big';

/** Everybody else, by number. */
export function accountName(number: number): string {
  return `bench-${number}`;
}

/** How many other accounts there are: each gives some eighteen delegations and is given as many. */
export function accountCount({ delegations }: Pick<DelegationCounts, 'delegations'>): number {
  return Math.max(100, Math.floor(delegations / 18));
}

/** The block at which the index stands. */
const block = 1_000_000;

/**
 * The only SQL of the bench that knows the tables. `$1` delegations, `$2` those to the big account, `$3` the other accounts.
 *
 * The delegations of the other accounts are spread evenly; those to the big one lie far apart in the table, as they do where
 * they have come about over years. Each was changed once.
 */
const fill = [
  `INSERT INTO index_state (synced_block, synced_time, irreversible_block, loaded_from, loaded_to, returns_loaded_to,
     history_from, as_of_from, next_delegation_id)
   VALUES (${block}, now(), ${block}, 0, 0, 0, 1, 0, $1::bigint + 1)`,
  `INSERT INTO delegation (id, delegator, delegatee, amount)
   SELECT n,
     CASE WHEN n % ($1::bigint / $2::bigint) = 0 THEN 'from-' || n ELSE 'bench-' || n % $3::bigint END,
     CASE WHEN n % ($1::bigint / $2::bigint) = 0 THEN '${bigAccount}'
          ELSE 'bench-' || (n % $3::bigint + 1 + n / $3::bigint) % $3::bigint END,
     1000000 + n
   FROM generate_series(1, $1::bigint) n`,
  `INSERT INTO delegation_change (id, delegation_id, delegator, delegatee, amount, created)
   SELECT (1 + id % ${block}) * 1048576 + change * 500000 + id / ${block}, id, delegator, delegatee, amount, now()
   FROM delegation CROSS JOIN generate_series(0, 1) change`,
  `INSERT INTO account_balance (account, total_in, total_out)
   SELECT account, sum(given), sum(gives) FROM (
     SELECT delegatee AS account, amount AS given, 0 AS gives FROM delegation
     UNION ALL SELECT delegator, 0, amount FROM delegation) both_sides GROUP BY account`,
];

/** Fills the tables, and does what autovacuum does after a while. */
export async function fillDelegations(databaseUrl: string, sizes: DelegationCounts): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const values = [sizes.delegations, sizes.delegationsOfOne, accountCount(sizes)];
    for (const text of fill) {
      const parameters = Math.max(0, ...[...text.matchAll(/\$(\d)/g)].map(([, number]) => Number(number)));
      await client.query(text, values.slice(0, parameters));
    }
    await client.query('VACUUM (FREEZE, ANALYZE)');
  } finally {
    await client.end();
  }
}
