import { sql, Statement } from '@waggle/service';
import { columnsOf } from '../lists/direction';
import { indexPositionColumnNames, indexPositionColumns, withIndexPosition } from '../index-state/index-position';
import { forDirections, forLists, listParameters, nameOf, orderOf } from '../lists/list-statements';
import { changesPerBlock } from '../index-state/change-id';
import { delegationChangeTable } from './delegation-change.entity';

/** Changes of a backfill are hidden until it is complete, so that the history has no gap. */
export const delegationChanges = forLists((direction, readsAscending) => {
  const { own, other } = columnsOf[direction];
  const order = orderOf(readsAscending);
  return new Statement({
    name: nameOf('history', direction, readsAscending),
    text: `${withIndexPosition}
      SELECT ${indexPositionColumnNames}, c.id, c.seconds, c.${other} AS other, c.amount
      FROM index_position LEFT JOIN LATERAL (
        SELECT id, extract(epoch FROM created)::bigint AS seconds, ${other}, amount FROM delegation_change
        WHERE ${own} = $1 AND id > $2 AND id < $3 AND id >= index_position.history_from * ${changesPerBlock}
        ORDER BY id ${order} LIMIT $4
      ) c ON true
      ORDER BY c.id ${order}`,
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

/** A row if a change in the history of the account has this id. */
export const ownChange = forDirections(
  (direction) =>
    new Statement({
      name: `own-history-${direction}`,
      text: `SELECT FROM delegation_change WHERE id = $1 AND ${columnsOf[direction].own} = $2`,
      parameters: { id: delegationChangeTable.id, account: delegationChangeTable.delegator },
      columns: {},
    }),
);
