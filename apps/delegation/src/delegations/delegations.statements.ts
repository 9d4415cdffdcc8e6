import { changesPerBlock } from '../history/change-id';
import { knownColumns, withKnown } from '../index-state/known';
import { nameOf, orderOf } from '../lists/list-statements';
import { columnsOf, type Direction } from './direction';
import { type NamedStatement } from '../reads/question';

/** `$1` account; `$2`, `$3` ids lie between; `$4` how many. Rows: what is known, then id, other side, amount. */
export function currentDelegations(direction: Direction, readsUp: boolean): NamedStatement {
  const { own, other } = columnsOf[direction];
  const order = orderOf(readsUp);
  return {
    name: nameOf('current', direction, readsUp),
    text: `${withKnown}
      SELECT ${knownColumns}, d.id, d.${other}, d.amount
      FROM known LEFT JOIN LATERAL (
        SELECT id, ${other}, amount FROM delegation
        WHERE ${own} = $1 AND amount > 0 AND id > $2 AND id < $3 ORDER BY id ${order} LIMIT $4
      ) d ON true
      ORDER BY d.id ${order}`,
  };
}

/**
 * What a delegation `d` was after the changes with ids below `$n`, as of block `$m`: its last change before, else what it was
 * when the index began, else nothing. What was taken from a node holds since `loaded_to`, against any change that a backfill
 * has read and does not show yet.
 */
const amountAsOf = (bound: string, block: string) => `
  coalesce(
    (SELECT c.amount FROM delegation_change c
     WHERE c.delegation_id = d.id AND c.id < ${bound} AND c.id >= known.history_from * ${changesPerBlock} ORDER BY c.id DESC LIMIT 1),
    CASE WHEN ${block} >= known.loaded_to THEN d.loaded_amount END,
    0)`;

/** As `currentDelegations`; `$5` the first id of a change after the block, `$6` the block. Nothing where it is not known. */
export function delegationsAsOf(direction: Direction, readsUp: boolean): NamedStatement {
  const { own, other } = columnsOf[direction];
  const order = orderOf(readsUp);
  return {
    name: nameOf('as-of', direction, readsUp),
    text: `${withKnown}
      SELECT ${knownColumns}, d.id, d.${other}, d.amount
      FROM known LEFT JOIN LATERAL (
        SELECT d.id, d.${other}, a.amount
        FROM delegation d CROSS JOIN LATERAL (SELECT ${amountAsOf('$5', '$6::bigint')} AS amount) a
        WHERE d.${own} = $1 AND d.id > $2 AND d.id < $3 AND a.amount > 0
          AND $6::bigint BETWEEN known.as_of_from AND known.synced_block
        ORDER BY d.id ${order} LIMIT $4
      ) d ON true
      ORDER BY d.id ${order}`,
  };
}

/**
 * As `currentDelegations`, upwards, but only those that blocks after `$5` have changed, as of that block; the amount is 0 if there
 * was none. `$6` the first id of a change after the block; `$7` the first id of a later change to be ignored. The loaded amount is
 * a scalar subquery so that it is looked up for these alone: the planner may scan all delegations for a join.
 */
export function changedDelegations(direction: Direction): NamedStatement {
  const { own, other } = columnsOf[direction];
  return {
    name: `changed-${direction}`,
    text: `${withKnown},
      changed AS MATERIALIZED (
        SELECT DISTINCT c.delegation_id AS id, c.${other} FROM delegation_change c
        WHERE c.${own} = $1 AND c.id >= $6 AND c.id < $7 AND c.delegation_id > $2 AND c.delegation_id < $3
        ORDER BY c.delegation_id LIMIT $4
      )
      SELECT ${knownColumns}, d.id, d.${other}, ${amountAsOf('$6', '$5::bigint')}
      FROM known LEFT JOIN (
        SELECT id, ${other}, (SELECT l.loaded_amount FROM delegation l WHERE l.id = changed.id) AS loaded_amount FROM changed
      ) d ON true
      ORDER BY d.id`,
  };
}

/** `$1` account. Rows: what is known, then what it is given and what it gives. */
export const currentBalance: NamedStatement = {
  name: 'balance',
  text: `${withKnown}
    SELECT ${knownColumns}, coalesce(b.total_in, 0), coalesce(b.total_out, 0)
    FROM known LEFT JOIN account_balance b ON b.account = $1`,
};

const sumAsOf = (direction: Direction) => `(
  SELECT coalesce(sum(${amountAsOf('$2', '$3::bigint')}), 0) FROM delegation d
  WHERE d.${columnsOf[direction].own} = $1 AND $3::bigint BETWEEN known.as_of_from AND known.synced_block)`;

/** As `currentBalance`; `$2` the first id of a change after the block, `$3` the block. */
export const balanceAsOf: NamedStatement = {
  name: 'balance-as-of',
  text: `${withKnown} SELECT ${knownColumns}, ${sumAsOf('in')}, ${sumAsOf('out')} FROM known`,
};

/** `$1` delegator, `$2` delegatee. Rows: what is known, then id and amount. */
export const currentPair: NamedStatement = {
  name: 'pair',
  text: `${withKnown}
    SELECT ${knownColumns}, d.id, d.amount
    FROM known LEFT JOIN delegation d ON d.delegator = $1 AND d.delegatee = $2`,
};

/** As `currentPair`; `$3` the first id of a change after the block, `$4` the block. */
export const pairAsOf: NamedStatement = {
  name: 'pair-as-of',
  text: `${withKnown}
    SELECT ${knownColumns}, d.id, ${amountAsOf('$3', '$4::bigint')}
    FROM known LEFT JOIN delegation d ON d.delegator = $1 AND d.delegatee = $2`,
};

/** `$1` account; `$2`, `$3` ids lie between; `$4` how many. Rows: what is known, then id, amount, seconds since 1970. */
export function pendingReturns(readsUp: boolean): NamedStatement {
  const order = orderOf(readsUp);
  return {
    name: `returns-${readsUp ? 'up' : 'down'}`,
    text: `${withKnown}
      SELECT ${knownColumns}, r.id, r.amount, extract(epoch FROM r.returns)::bigint
      FROM known LEFT JOIN LATERAL (
        SELECT id, amount, returns FROM pending_return
        WHERE delegator = $1 AND id > $2 AND id < $3 ORDER BY id ${order} LIMIT $4
      ) r ON true
      ORDER BY r.id ${order}`,
  };
}

/** `$1` id, `$2` account. A row where the id is that of a delegation of the account, also one that is removed. */
export function ownDelegation(direction: Direction): NamedStatement {
  return {
    name: `own-${direction}`,
    text: `SELECT FROM delegation WHERE id = $1 AND ${columnsOf[direction].own} = $2`,
  };
}
