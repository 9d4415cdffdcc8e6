import { answersOf, type Queryable } from '@waggle/service';
import { type BalanceGrowth, type Change, type Pair } from './ledger';
import { type PendingReturn } from './pending-returns';

/** Names of two accounts side by side, as arrays that `unnest` takes. */
export interface PairNames {
  readonly delegators: readonly string[];
  readonly delegatees: readonly string[];
}

interface PairRow {
  id: string;
  delegator: string;
  delegatee: string;
  amount: string;
  earliest_return: Date | null;
}

/** The pairs that are named, and all that the cleared accounts have. */
const namedPairs = `
  SELECT d.* FROM unnest($1::text[], $2::text[]) n (delegator, delegatee) JOIN delegation d USING (delegator, delegatee)
  UNION
  SELECT * FROM delegation WHERE delegator = ANY ($3::text[])`;

/** As they are now. */
export async function findPairs(client: Queryable, names: PairNames, cleared: readonly string[]): Promise<Pair[]> {
  if (names.delegators.length + cleared.length === 0) return [];
  const { rows } = await client.query<PairRow>({
    name: 'find-pairs',
    text: `SELECT id, delegator, delegatee, amount, earliest_return FROM (${namedPairs}) d`,
    values: [names.delegators, names.delegatees, cleared],
  });
  return rows.map(pairOf);
}

/** As the history has them before a change: for who reads history while the present is written beside it. */
export async function findPairsBefore(
  client: Queryable,
  names: PairNames,
  cleared: readonly string[],
  firstChange: number,
): Promise<Pair[]> {
  const { rows } = await client.query<PairRow>({
    name: 'find-pairs-before',
    text: `
      SELECT id, delegator, delegatee, coalesce((
        SELECT c.amount FROM delegation_change c
        WHERE c.delegation_id = d.id AND c.id < $4 ORDER BY c.id DESC LIMIT 1
      ), 0) AS amount, NULL::timestamptz AS earliest_return
      FROM (${namedPairs}) d`,
    values: [names.delegators, names.delegatees, cleared, firstChange],
  });
  return rows.map(pairOf);
}

function pairOf({ id, delegator, delegatee, amount, earliest_return }: PairRow): Pair {
  return { id: Number(id), delegator, delegatee, amount: BigInt(amount), earliestReturn: earliest_return };
}

/** New pairs and changed ones alike. */
export async function writePairs(client: Queryable, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  await client.query({
    name: 'write-pairs',
    text: `
      INSERT INTO delegation (id, delegator, delegatee, amount, earliest_return)
      SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[])
      ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, earliest_return = excluded.earliest_return`,
    values: [
      pairs.map(({ id }) => id),
      pairs.map(({ delegator }) => delegator),
      pairs.map(({ delegatee }) => delegatee),
      pairs.map(({ amount }) => amount),
      pairs.map(({ earliestReturn }) => earliestReturn),
    ],
  });
}

/** A change that is there already is an error: nothing is written twice. */
export async function insertChanges(client: Queryable, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  await client.query({
    name: 'insert-changes',
    text: `
      INSERT INTO delegation_change (id, delegation_id, delegator, delegatee, amount, created)
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[])`,
    values: [
      changes.map(({ id }) => id),
      changes.map(({ pair }) => pair.id),
      changes.map(({ pair }) => pair.delegator),
      changes.map(({ pair }) => pair.delegatee),
      changes.map(({ amount }) => amount),
      changes.map(({ created }) => created),
    ],
  });
}

/** An account without a row has nothing; a row is made first, since what would be added to it may be less than nothing. */
export async function growBalances(client: Queryable, growth: ReadonlyMap<string, BalanceGrowth>): Promise<void> {
  if (growth.size === 0) return;
  const accounts = [...growth.keys()];
  const made = client.query({
    name: 'make-balances',
    text: `
      INSERT INTO account_balance (account, total_in, total_out) SELECT account, 0, 0 FROM unnest($1::text[]) account
      ON CONFLICT DO NOTHING`,
    values: [accounts],
  });
  const grown = client.query({
    name: 'grow-balances',
    text: `
      UPDATE account_balance b SET total_in = b.total_in + g.more_in, total_out = b.total_out + g.more_out
      FROM unnest($1::text[], $2::bigint[], $3::bigint[]) g (account, more_in, more_out)
      WHERE b.account = g.account`,
    values: [accounts, [...growth.values()].map((each) => each.in), [...growth.values()].map((each) => each.out)],
  });
  await answersOf([made, grown]);
}

/** Those of the cleared accounts, and those of an amount that an account has back. */
export async function findReturns(
  client: Queryable,
  returned: readonly { delegator: string; amount: bigint }[],
  cleared: readonly string[],
): Promise<PendingReturn[]> {
  if (returned.length + cleared.length === 0) return [];
  const { rows } = await client.query<ReturnRow>({
    name: 'find-returns',
    text: `
      SELECT r.* FROM unnest($1::text[], $2::bigint[]) n (delegator, amount) JOIN pending_return r USING (delegator, amount)
      UNION
      SELECT * FROM pending_return WHERE delegator = ANY ($3::text[])`,
    values: [returned.map(({ delegator }) => delegator), returned.map(({ amount }) => amount), cleared],
  });
  return rows.map(returnOf);
}

/** All of those accounts. */
export async function findReturnsOf(client: Queryable, delegators: readonly string[]): Promise<PendingReturn[]> {
  const { rows } = await client.query<ReturnRow>({
    name: 'find-returns-of',
    text: 'SELECT id, delegator, amount, returns FROM pending_return WHERE delegator = ANY ($1::text[])',
    values: [delegators],
  });
  return rows.map(returnOf);
}

interface ReturnRow {
  id: string;
  delegator: string;
  amount: string;
  returns: Date;
}

function returnOf({ id, delegator, amount, returns }: ReturnRow): PendingReturn {
  return { id: Number(id), delegator, amount: BigInt(amount), returns };
}

export async function deleteReturns(client: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await client.query({
    name: 'delete-returns',
    text: 'DELETE FROM pending_return WHERE id = ANY ($1::bigint[])',
    values: [ids],
  });
}

export async function insertReturns(client: Queryable, returns: readonly PendingReturn[]): Promise<void> {
  if (returns.length === 0) return;
  await client.query({
    name: 'insert-returns',
    text: `
      INSERT INTO pending_return (id, delegator, amount, returns)
      SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::timestamptz[])`,
    values: [
      returns.map(({ id }) => id),
      returns.map(({ delegator }) => delegator),
      returns.map(({ amount }) => amount),
      returns.map((each) => each.returns),
    ],
  });
}
