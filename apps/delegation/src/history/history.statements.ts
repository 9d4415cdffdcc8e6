import { columnsOf, type Direction } from '../delegations/direction';
import { knownColumns, withKnown } from '../index-state/known';
import { nameOf, orderOf } from '../lists/list-statements';
import { changesPerBlock } from './change-id';
import { type NamedStatement } from '../reads/question';

/**
 * `$1` account; `$2`, `$3` ids lie between; `$4` how many. Rows: what is known, then id, seconds since 1970, other side,
 * amount. What a backfill has read is not shown before it has reached what is there: a history has no gap.
 */
export function delegationChanges(direction: Direction, readsUp: boolean): NamedStatement {
  const { own, other } = columnsOf[direction];
  const order = orderOf(readsUp);
  return {
    name: nameOf('history', direction, readsUp),
    text: `${withKnown}
      SELECT ${knownColumns}, c.id, c.seconds, c.${other}, c.amount
      FROM known LEFT JOIN LATERAL (
        SELECT id, extract(epoch FROM created)::bigint AS seconds, ${other}, amount FROM delegation_change
        WHERE ${own} = $1 AND id > $2 AND id < $3 AND id >= known.history_from * ${changesPerBlock}
        ORDER BY id ${order} LIMIT $4
      ) c ON true
      ORDER BY c.id ${order}`,
  };
}

/** `$1` id, `$2` account. A row where the id is that of a change in the history of the account. */
export function ownChange(direction: Direction): NamedStatement {
  return {
    name: `own-history-${direction}`,
    text: `SELECT FROM delegation_change WHERE id = $1 AND ${columnsOf[direction].own} = $2`,
  };
}
