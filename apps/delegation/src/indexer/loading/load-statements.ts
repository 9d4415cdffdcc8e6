import { type Queryable } from '@waggle/service';
import { type ListedDelegation, type ListedReturn } from './node-lists';

/** @param firstId of the first of them; the others have those after it */
export async function insertListed(
  client: Queryable,
  listed: readonly ListedDelegation[],
  firstId: number,
): Promise<void> {
  await client.query({
    name: 'insert-listed',
    text: `
      INSERT INTO delegation (id, delegator, delegatee, amount, loaded_amount, earliest_return)
      SELECT id, delegator, delegatee, amount, amount, earliest_return
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[])
        n (id, delegator, delegatee, amount, earliest_return)`,
    values: [
      listed.map((_each, index) => firstId + index),
      listed.map(({ delegator }) => delegator),
      listed.map(({ delegatee }) => delegatee),
      listed.map(({ amount }) => amount),
      listed.map(({ earliestReturn }) => earliestReturn),
    ],
  });
}

/** Under the node's own ids and one more, since those begin with 0: far below any id of a change. */
export async function insertListedReturns(client: Queryable, listed: readonly ListedReturn[]): Promise<void> {
  await client.query({
    name: 'insert-listed-returns',
    text: `
      INSERT INTO pending_return (id, delegator, amount, returns)
      SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::timestamptz[])
      ON CONFLICT (id) DO NOTHING`,
    values: [
      listed.map(({ id }) => id + 1),
      listed.map(({ delegator }) => delegator),
      listed.map(({ amount }) => amount),
      listed.map(({ returns }) => returns),
    ],
  });
}

/** The balances of all accounts, of what is loaded; then PostgreSQL looks at the tables, which were empty before. */
export async function sumBalances(client: Queryable): Promise<void> {
  await client.query(`
    INSERT INTO account_balance (account, total_in, total_out)
    SELECT account, sum(given), sum(gives) FROM (
      SELECT delegatee AS account, amount AS given, 0 AS gives FROM delegation
      UNION ALL
      SELECT delegator, 0, amount FROM delegation
    ) both_sides GROUP BY account`);
  await client.query('ANALYZE delegation, account_balance, pending_return');
}
