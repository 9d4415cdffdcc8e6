import { sql } from '@waggle/service';
import { type Direction } from './direction';
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

/** The SQL order for reading a list. */
export const orderOf = (readsAscending: boolean) => (readsAscending ? 'ASC' : 'DESC');

/** The name of a statement that exists for each direction and order. */
export const nameOf = (name: string, direction: Direction, readsAscending: boolean) =>
  `${name}-${direction}-${readsAscending ? 'ascending' : 'descending'}`;

/** Makes a statement for each direction. */
export function forDirections<AStatement>(
  make: (direction: Direction) => AStatement,
): (direction: Direction) => AStatement {
  const made = { in: make('in'), out: make('out') };
  return (direction: Direction) => made[direction];
}

/** Makes a statement for each order. */
export function forOrders<AStatement>(
  make: (readsAscending: boolean) => AStatement,
): (readsAscending: boolean) => AStatement {
  const made = { ascending: make(true), descending: make(false) };
  return (readsAscending: boolean) => made[readsAscending ? 'ascending' : 'descending'];
}

/** Makes a statement for each direction and order. */
export function forLists<AStatement>(
  make: (direction: Direction, readsAscending: boolean) => AStatement,
): (direction: Direction, readsAscending: boolean) => AStatement {
  const made = forDirections((direction) => forOrders((readsAscending) => make(direction, readsAscending)));
  return (direction: Direction, readsAscending: boolean) => made(direction)(readsAscending);
}
