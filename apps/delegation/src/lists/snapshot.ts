import { type IndexPosition } from '../index-state/index-position';
import { type Page } from './page';

/** Consecutive items of a list, in its order. */
export interface SnapshotPart<Item> {
  readonly items: readonly Item[];
  /** The list is read up to this id; undefined at its end. */
  readonly readTo: number | undefined;
}

/** A list as of one block, also if several statements read it while the indexer applies blocks. */
export interface Snapshot<Item> {
  readonly position: IndexPosition;
  /** Reads up to `page.limit` items, the one next to the cursor first. */
  readonly read: (page: Page) => Promise<SnapshotPart<Item>>;
}

/** Makes a part of the items that were read. @param items as many as `limit`, unless the list ends with them */
export function partUpTo<Item extends { readonly id: string }>(
  items: readonly Item[],
  limit: number,
): SnapshotPart<Item> {
  const last = items[limit - 1];
  return { items, readTo: last && Number(last.id) };
}
