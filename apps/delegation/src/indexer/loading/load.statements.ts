import { type Queryable, sql, Statement } from '@waggle/service';
import { type ListedDelegation, type ListedReturn } from './node-lists';
import { delegationTable } from '../../delegations/delegation.entity';
import { pendingReturnTable } from '../../delegations/pending-return.entity';

/** Inserts loaded delegations. */
const insertDelegations = new Statement({
  name: 'insert-listed',
  text: `
    INSERT INTO delegation (id, delegator, delegatee, amount, loaded_amount, earliest_return)
    SELECT id, delegator, delegatee, amount, amount, earliest_return
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[])
      n (id, delegator, delegatee, amount, earliest_return)`,
  parameters: {
    ids: sql.arrayOf(delegationTable.id),
    delegators: sql.arrayOf(delegationTable.delegator),
    delegatees: sql.arrayOf(delegationTable.delegatee),
    amounts: sql.arrayOf(delegationTable.amount),
    earliestReturns: sql.arrayOf(delegationTable.earliestReturn),
  },
  columns: {},
});

/** Inserts loaded returns; skips those that an earlier page had. */
const insertReturns = new Statement({
  name: 'insert-listed-returns',
  text: `
    INSERT INTO pending_return (id, delegator, amount, returns)
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::timestamptz[])
    ON CONFLICT (id) DO NOTHING`,
  parameters: {
    ids: sql.arrayOf(pendingReturnTable.id),
    delegators: sql.arrayOf(pendingReturnTable.delegator),
    amounts: sql.arrayOf(pendingReturnTable.amount),
    returns: sql.arrayOf(pendingReturnTable.returns),
  },
  columns: {},
});

/** Inserts the balance of each account that has a delegation. */
const insertBalances = new Statement({
  name: 'sum-balances',
  text: `
    INSERT INTO account_balance (account, total_in, total_out)
    SELECT account, sum(given), sum(gives) FROM (
      SELECT delegatee AS account, amount AS given, 0 AS gives FROM delegation
      UNION ALL
      SELECT delegator, 0, amount FROM delegation
    ) both_sides GROUP BY account`,
  parameters: {},
  columns: {},
});

const analyzeTables = new Statement({
  name: 'analyze-tables',
  text: 'ANALYZE delegation, account_balance, pending_return',
  parameters: {},
  columns: {},
});

/** Inserts delegations under consecutive ids. @param firstId the id of the first */
export async function insertListed(
  client: Queryable,
  listed: readonly ListedDelegation[],
  firstId: number,
): Promise<void> {
  await insertDelegations.execute(client, {
    ids: listed.map((_each, index) => firstId + index),
    delegators: listed.map(({ delegator }) => delegator),
    delegatees: listed.map(({ delegatee }) => delegatee),
    amounts: listed.map(({ amount }) => amount),
    earliestReturns: listed.map(({ earliestReturn }) => earliestReturn),
  });
}

/** Inserts pending returns under the ids of the node plus 1, since those begin with 0: far below any id of a change. */
export async function insertListedReturns(client: Queryable, listed: readonly ListedReturn[]): Promise<void> {
  await insertReturns.execute(client, {
    ids: listed.map(({ id }) => id + 1),
    delegators: listed.map(({ delegator }) => delegator),
    amounts: listed.map(({ amount }) => amount),
    returns: listed.map(({ returns }) => returns),
  });
}

/** Computes the balances of the loaded delegations, and analyzes the tables, which were empty before. */
export async function sumBalances(client: Queryable): Promise<void> {
  await insertBalances.execute(client, {});
  await analyzeTables.execute(client, {});
}
