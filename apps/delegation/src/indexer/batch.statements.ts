import { resultsOf, type Queryable, type RowIn, sql, Statement } from '@waggle/service';
import { type BalanceDelta, type Change, type Pair } from './ledger';
import { type PendingReturn } from './pending-returns';
import { accountBalanceTable } from '../delegations/account-balance.entity';
import { delegationTable } from '../delegations/delegation.entity';
import { pendingReturnTable } from '../delegations/pending-return.entity';
import { delegationChangeTable } from '../history/delegation-change.entity';

/** Names of two accounts side by side, as arrays that `unnest` takes. */
export interface PairNames {
  readonly delegators: readonly string[];
  readonly delegatees: readonly string[];
}

/** SQL: the pairs of delegators `$1` and delegatees `$2`, and all pairs of the cleared accounts `$3`. */
const namedPairs = `
  SELECT d.* FROM unnest($1::text[], $2::text[]) n (delegator, delegatee) JOIN delegation d USING (delegator, delegatee)
  UNION
  SELECT * FROM delegation WHERE delegator = ANY ($3::text[])`;

const pairParameters = {
  delegators: sql.arrayOf(delegationTable.delegator),
  delegatees: sql.arrayOf(delegationTable.delegatee),
  cleared: sql.arrayOf(delegationTable.delegator),
};

/** `UNION` hides that all columns of the table but one are NOT NULL. */
const pairColumns = {
  id: sql.notNull(delegationTable.id),
  delegator: sql.notNull(delegationTable.delegator),
  delegatee: sql.notNull(delegationTable.delegatee),
  amount: sql.notNull(delegationTable.amount),
  earliest_return: delegationTable.earliestReturn,
};

/** Rows: the pairs of `namedPairs` with their current amounts. */
const selectPairs = new Statement({
  name: 'find-pairs',
  text: `SELECT id, delegator, delegatee, amount, earliest_return FROM (${namedPairs}) d`,
  parameters: pairParameters,
  columns: pairColumns,
});

/** `$4` first change that does not count. Rows: the pairs of `namedPairs` with their amounts before it. */
const selectPairsBefore = new Statement({
  name: 'find-pairs-before',
  text: `
    SELECT id, delegator, delegatee, coalesce((
      SELECT c.amount FROM delegation_change c
      WHERE c.delegation_id = d.id AND c.id < $4 ORDER BY c.id DESC LIMIT 1
    ), 0) AS amount, NULL::timestamptz AS earliest_return
    FROM (${namedPairs}) d`,
  parameters: { ...pairParameters, firstChange: delegationChangeTable.id },
  columns: pairColumns,
});

const upsertPairs = new Statement({
  name: 'write-pairs',
  text: `
    INSERT INTO delegation (id, delegator, delegatee, amount, earliest_return)
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[])
    ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, earliest_return = excluded.earliest_return`,
  parameters: {
    ids: sql.arrayOf(delegationTable.id),
    delegators: sql.arrayOf(delegationTable.delegator),
    delegatees: sql.arrayOf(delegationTable.delegatee),
    amounts: sql.arrayOf(delegationTable.amount),
    earliestReturns: sql.arrayOf(delegationTable.earliestReturn),
  },
  columns: {},
});

const insertChangeRows = new Statement({
  name: 'insert-changes',
  text: `
    INSERT INTO delegation_change (id, delegation_id, delegator, delegatee, amount, created)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[])`,
  parameters: {
    ids: sql.arrayOf(delegationChangeTable.id),
    delegationIds: sql.arrayOf(delegationChangeTable.delegationId),
    delegators: sql.arrayOf(delegationChangeTable.delegator),
    delegatees: sql.arrayOf(delegationChangeTable.delegatee),
    amounts: sql.arrayOf(delegationChangeTable.amount),
    created: sql.arrayOf(delegationChangeTable.created),
  },
  columns: {},
});

const insertMissingBalances = new Statement({
  name: 'insert-missing-balances',
  text: `
    INSERT INTO account_balance (account, total_in, total_out) SELECT account, 0, 0 FROM unnest($1::text[]) account
    ON CONFLICT DO NOTHING`,
  parameters: { accounts: sql.arrayOf(accountBalanceTable.account) },
  columns: {},
});

const updateBalances = new Statement({
  name: 'update-balances',
  text: `
    UPDATE account_balance b SET total_in = b.total_in + d.in_delta, total_out = b.total_out + d.out_delta
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]) d (account, in_delta, out_delta)
    WHERE b.account = d.account`,
  parameters: {
    accounts: sql.arrayOf(accountBalanceTable.account),
    inDeltas: sql.arrayOf(accountBalanceTable.totalIn),
    outDeltas: sql.arrayOf(accountBalanceTable.totalOut),
  },
  columns: {},
});

/** `$1` accounts; `$2` amounts, pairwise; `$3` accounts. Rows: returns of these amounts, and all of accounts `$3`. */
const selectReturns = new Statement({
  name: 'find-returns',
  text: `
    SELECT r.id, r.delegator, r.amount, r.returns
    FROM unnest($1::text[], $2::bigint[]) n (delegator, amount) JOIN pending_return r USING (delegator, amount)
    UNION
    SELECT id, delegator, amount, returns FROM pending_return WHERE delegator = ANY ($3::text[])`,
  parameters: {
    delegators: sql.arrayOf(pendingReturnTable.delegator),
    amounts: sql.arrayOf(pendingReturnTable.amount),
    cleared: sql.arrayOf(pendingReturnTable.delegator),
  },
  columns: {
    id: sql.notNull(pendingReturnTable.id),
    delegator: sql.notNull(pendingReturnTable.delegator),
    amount: sql.notNull(pendingReturnTable.amount),
    returns: sql.notNull(pendingReturnTable.returns),
  },
});

/** `$1` accounts. Rows: all their returns. */
const selectReturnsOf = new Statement({
  name: 'find-returns-of',
  text: 'SELECT id, delegator, amount, returns FROM pending_return WHERE delegator = ANY ($1::text[])',
  parameters: { delegators: sql.arrayOf(pendingReturnTable.delegator) },
  columns: {
    id: pendingReturnTable.id,
    delegator: pendingReturnTable.delegator,
    amount: pendingReturnTable.amount,
    returns: pendingReturnTable.returns,
  },
});

const deleteReturnRows = new Statement({
  name: 'delete-returns',
  text: 'DELETE FROM pending_return WHERE id = ANY ($1::bigint[])',
  parameters: { ids: sql.arrayOf(pendingReturnTable.id) },
  columns: {},
});

const insertReturnRows = new Statement({
  name: 'insert-returns',
  text: `
    INSERT INTO pending_return (id, delegator, amount, returns)
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::timestamptz[])`,
  parameters: {
    ids: sql.arrayOf(pendingReturnTable.id),
    delegators: sql.arrayOf(pendingReturnTable.delegator),
    amounts: sql.arrayOf(pendingReturnTable.amount),
    returns: sql.arrayOf(pendingReturnTable.returns),
  },
  columns: {},
});

/** Finds pairs, and all pairs of the cleared accounts, with their current amounts. */
export async function findPairs(client: Queryable, names: PairNames, cleared: readonly string[]): Promise<Pair[]> {
  if (names.delegators.length + cleared.length === 0) return [];
  const rows = await selectPairs.query(client, { ...names, cleared });
  return rows.map(pairOf);
}

/**
 * Does the same as `findPairs`, with the amounts before a change according to the history: the backfill runs beside the
 * follower.
 */
export async function findPairsBefore(
  client: Queryable,
  names: PairNames,
  cleared: readonly string[],
  firstChange: number,
): Promise<Pair[]> {
  const rows = await selectPairsBefore.query(client, { ...names, cleared, firstChange });
  return rows.map(pairOf);
}

function pairOf({ id, delegator, delegatee, amount, earliest_return }: RowIn<typeof selectPairs>): Pair {
  return { id: Number(id), delegator, delegatee, amount: BigInt(amount), earliestReturn: earliest_return };
}

/** Inserts new pairs and updates the others. */
export async function writePairs(client: Queryable, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  await upsertPairs.execute(client, {
    ids: pairs.map(({ id }) => id),
    delegators: pairs.map(({ delegator }) => delegator),
    delegatees: pairs.map(({ delegatee }) => delegatee),
    amounts: pairs.map(({ amount }) => amount),
    earliestReturns: pairs.map(({ earliestReturn }) => earliestReturn),
  });
}

/** Inserts changes. One that exists already is an error: nothing is written twice. */
export async function insertChanges(client: Queryable, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  await insertChangeRows.execute(client, {
    ids: changes.map(({ id }) => id),
    delegationIds: changes.map(({ pair }) => pair.id),
    delegators: changes.map(({ pair }) => pair.delegator),
    delegatees: changes.map(({ pair }) => pair.delegatee),
    amounts: changes.map(({ amount }) => amount),
    created: changes.map(({ created }) => created),
  });
}

/**
 * Adds the differences to the balances. Creates missing rows with 0 first: an upsert would insert negative differences,
 * which violates the check.
 */
export async function applyBalanceDeltas(
  client: Queryable,
  balanceDeltas: ReadonlyMap<string, BalanceDelta>,
): Promise<void> {
  if (balanceDeltas.size === 0) return;
  const accounts = [...balanceDeltas.keys()];
  const inserted = insertMissingBalances.execute(client, { accounts });
  const updated = updateBalances.execute(client, {
    accounts,
    inDeltas: [...balanceDeltas.values()].map((each) => each.in),
    outDeltas: [...balanceDeltas.values()].map((each) => each.out),
  });
  await resultsOf([inserted, updated]);
}

/** Finds the pending returns of the cleared accounts, and those whose account and amount equal a completed one. */
export async function findReturns(
  client: Queryable,
  returned: readonly { delegator: string; amount: bigint }[],
  cleared: readonly string[],
): Promise<PendingReturn[]> {
  if (returned.length + cleared.length === 0) return [];
  const rows = await selectReturns.query(client, {
    delegators: returned.map(({ delegator }) => delegator),
    amounts: returned.map(({ amount }) => amount),
    cleared,
  });
  return rows.map(returnOf);
}

/** Finds all pending returns of the accounts. */
export async function findReturnsOf(client: Queryable, delegators: readonly string[]): Promise<PendingReturn[]> {
  const rows = await selectReturnsOf.query(client, { delegators });
  return rows.map(returnOf);
}

function returnOf({ id, delegator, amount, returns }: RowIn<typeof selectReturnsOf>): PendingReturn {
  return { id: Number(id), delegator, amount: BigInt(amount), returns };
}

export async function deleteReturns(client: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await deleteReturnRows.execute(client, { ids });
}

export async function insertReturns(client: Queryable, returns: readonly PendingReturn[]): Promise<void> {
  if (returns.length === 0) return;
  await insertReturnRows.execute(client, {
    ids: returns.map(({ id }) => id),
    delegators: returns.map(({ delegator }) => delegator),
    amounts: returns.map(({ amount }) => amount),
    returns: returns.map((each) => each.returns),
  });
}
