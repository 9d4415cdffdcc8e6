import { sql, Statement } from '@waggle/service';
import { columnsOf } from '../lists/direction';
import { indexPositionColumnNames, indexPositionColumns, withIndexPosition } from '../index-state/index-position';
import { forDirections, forLists, listParameters, sqlOrder } from '../lists/list-statements';
import { changesPerBlock } from '../index-state/change-id';
import { delegationChangeTable } from './delegation-change.entity';

/**
 * Has the parameters of a list. Rows: the position of the index, with a change of the account's delegations; nulls for
 * none. Changes of a backfill are hidden until it is complete, so that the history has no gap.
 */
export const delegationChanges = forLists((direction, order) => {
  const { own, other } = columnsOf[direction];
  return new Statement({
    name: `history-${direction}-${order}`,
    text: `${withIndexPosition}
      SELECT ${indexPositionColumnNames}, c.id, c.seconds, c.${other} AS other, c.amount
      FROM index_position LEFT JOIN LATERAL (
        SELECT id, extract(epoch FROM created)::bigint AS seconds, ${other}, amount FROM delegation_change
        WHERE ${own} = $1 AND id > $2 AND id < $3 AND id >= index_position.history_from * ${changesPerBlock}
        ORDER BY id ${sqlOrder[order]} LIMIT $4
      ) c ON true
      ORDER BY c.id ${sqlOrder[order]}`,
    parameters: listParameters(delegationChangeTable),
    columns: {
      ...indexPositionColumns,
      id: sql.nullable(delegationChangeTable.id),
      /** Seconds since 1970. */
      seconds: sql.nullable(sql.int8),
      other: sql.nullable(delegationChangeTable.delegatee),
      amount: sql.nullable(delegationChangeTable.amount),
    },
  });
});

/** `$1` id; `$2` account. One row if a change in the history of the account has this id. */
export const ownChange = forDirections(
  (direction) =>
    new Statement({
      name: `own-history-${direction}`,
      text: `SELECT FROM delegation_change WHERE id = $1 AND ${columnsOf[direction].own} = $2`,
      parameters: { id: delegationChangeTable.id, account: delegationChangeTable.delegator },
      columns: {},
    }),
);
