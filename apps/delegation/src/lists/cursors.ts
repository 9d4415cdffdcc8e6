import { DelegationError } from '../errors';
import { type ListQuery } from './page';

/**
 * Checks that a cursor is the id of a current or former item of the list: one of another list or deployment would
 * return a meaningless page. 0 is before every item.
 *
 * @param isOwn whether an id is of an item that the list has, or had
 * @throws DelegationError `invalid-request` naming the cursor
 */
export async function requireOwnCursors(
  { after_id, before_id }: ListQuery,
  isOwn: (id: number) => Promise<boolean>,
): Promise<void> {
  await Promise.all(
    Object.entries({ after_id, before_id }).map(async ([name, id]) => {
      if (id === undefined || (id === 0 && name === 'after_id')) return;
      if (!(await isOwn(id)))
        throw new DelegationError('invalid-request', `${name}: not the id of an item of this list`);
    }),
  );
}
