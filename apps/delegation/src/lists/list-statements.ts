import { sql } from '@waggle/service';
import { type Direction } from './direction';

/** The parameters of a list: `$1` account; `$2`, `$3` ids lie between; `$4` how many. */
export const listParameters = { account: sql.text, after: sql.int8, before: sql.int8, limit: sql.int8 };

/** In which order a list is read upwards, and downwards. */
export const orderOf = (readsUp: boolean) => (readsUp ? 'ASC' : 'DESC');

/** Of a statement that there is for each direction and way of reading. */
export const nameOf = (name: string, direction: Direction, readsUp: boolean) =>
  `${name}-${direction}-${readsUp ? 'up' : 'down'}`;

/** Makes a statement for each direction. */
export function forDirections<AStatement>(make: (direction: Direction) => AStatement) {
  return { in: make('in'), out: make('out') };
}

/** Makes a statement for each way of reading. */
export function forOrders<AStatement>(make: (readsUp: boolean) => AStatement) {
  const made = { up: make(true), down: make(false) };
  return (readsUp: boolean) => made[readsUp ? 'up' : 'down'];
}

/** Makes a statement for each direction and way of reading. */
export function forLists<AStatement>(make: (direction: Direction, readsUp: boolean) => AStatement) {
  const made = forDirections((direction) => forOrders((readsUp) => make(direction, readsUp)));
  return (direction: Direction, readsUp: boolean) => made[direction](readsUp);
}
