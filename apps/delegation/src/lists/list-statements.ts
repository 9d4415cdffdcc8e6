import { type Direction } from '../delegations/direction';
import { type NamedStatement } from '../reads/question';

/** In which order a list is read upwards, and downwards. */
export const orderOf = (readsUp: boolean) => (readsUp ? 'ASC' : 'DESC');

/** Of a statement that there is for each direction and way of reading. */
export const nameOf = (name: string, direction: Direction, readsUp: boolean) =>
  `${name}-${direction}-${readsUp ? 'up' : 'down'}`;

/** The statements for each direction and way of reading, made once. */
export function statementsFor(make: (direction: Direction, readsUp: boolean) => NamedStatement) {
  const made = {
    in: { up: make('in', true), down: make('in', false) },
    out: { up: make('out', true), down: make('out', false) },
  };
  return (direction: Direction, readsUp: boolean) => made[direction][readsUp ? 'up' : 'down'];
}
