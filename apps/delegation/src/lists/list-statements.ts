import { sql } from '@waggle/service';
import { type Direction } from './direction';
import { type Order } from './order';
import { type Page } from './page';

/** The parameters of a list: `$1` account; `$2` and `$3` exclusive bounds of the ids; `$4` limit. */
export const listParameters = ({ id, delegator }: { id: typeof sql.int8; delegator: typeof sql.text }) => ({
  account: delegator,
  after: id,
  before: id,
  limit: sql.int8,
});

/** The values of `listParameters`. */
export function listValues(account: string, { after, before, limit }: Page) {
  return { account, after, before, limit };
}

export const sqlOrder: Readonly<Record<Order, string>> = { ascending: 'ASC', descending: 'DESC' };

/** Makes a statement for each direction. */
export function forDirections<AStatement>(
  make: (direction: Direction) => AStatement,
): (direction: Direction) => AStatement {
  const made = { in: make('in'), out: make('out') };
  return (direction) => made[direction];
}

/** Makes a statement for each order. */
export function forOrders<AStatement>(make: (order: Order) => AStatement): (order: Order) => AStatement {
  const made = { ascending: make('ascending'), descending: make('descending') };
  return (order) => made[order];
}

/** Makes a statement for each direction and order. */
export function forLists<AStatement>(
  make: (direction: Direction, order: Order) => AStatement,
): (direction: Direction, order: Order) => AStatement {
  const made = forDirections((direction) => forOrders((order) => make(direction, order)));
  return (direction, order) => made(direction)(order);
}
