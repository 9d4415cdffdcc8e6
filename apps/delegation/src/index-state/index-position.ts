import { type RowOf, sql } from '@waggle/service';
import { DelegationError } from '../errors';
import { indexStateTable } from './index-state.entity';

/** The position of the index that a response is based on, read in the same statement as its data. */
export interface IndexPosition {
  readonly syncedBlock: number;
  /** Seconds since 1970 of that block; undefined before the first. */
  readonly syncedSeconds: number | undefined;
  /** The earliest block for queries as of a block. */
  readonly asOfFrom: number;
}

/**
 * Begins a statement whose rows contain the position of the index. The data are joined to `index_position` by a LEFT
 * JOIN, so that there is always a row. Materialized, so that it is computed once rather than for each row.
 */
export const withIndexPosition = `
  WITH index_position AS MATERIALIZED (
    SELECT synced_block, extract(epoch FROM synced_time)::bigint AS synced_seconds, loaded_to, as_of_from, history_from
    FROM index_state
  )`;

/** The first columns of the rows of such a statement. */
export const indexPositionColumns = {
  synced_block: sql.notNull(indexStateTable.syncedBlock),
  synced_seconds: sql.nullable(sql.int8),
  loaded_to: sql.notNull(indexStateTable.loadedTo),
  as_of_from: sql.notNull(indexStateTable.asOfFrom),
};

/** The names of `indexPositionColumns`, for the list of a SELECT. */
export const indexPositionColumnNames = Object.keys(indexPositionColumns)
  .map((column) => `index_position.${column}`)
  .join(', ');

/** A row that begins with `indexPositionColumns`. */
export type IndexPositionRow = RowOf<typeof indexPositionColumns>;

/** @throws DelegationError `unavailable` before the index is complete */
export function readIndexPosition(row: IndexPositionRow | undefined): IndexPosition {
  if (row === undefined || Number(row.synced_block) < Number(row.loaded_to)) {
    throw new DelegationError('unavailable', 'the index is being built; see /api/deleg/status', {
      retryAfterMs: 10_000,
    });
  }
  return {
    syncedBlock: Number(row.synced_block),
    syncedSeconds: row.synced_seconds === null ? undefined : Number(row.synced_seconds),
    asOfFrom: Number(row.as_of_from),
  };
}

/** @throws DelegationError if the index has no data as of that block */
export function requireIndexedAsOf({ syncedBlock, asOfFrom }: IndexPosition, block: number | undefined): void {
  if (block === undefined) return;
  if (block < asOfFrom) {
    throw new DelegationError('before-history', `as_of_block: what was before block ${asOfFrom} is not known`);
  }
  if (block > syncedBlock) {
    throw new DelegationError('not-synced', `as_of_block: the last block that is known is ${syncedBlock}`);
  }
}

/**
 * Checks that a later statement of a list sees at least the block of the first; a replica may lag.
 *
 * @throws DelegationError `unavailable` if the replica is behind the first statement
 */
export function requireSynced({ syncedBlock }: IndexPosition, needed: IndexPosition): void {
  if (syncedBlock >= needed.syncedBlock) return;
  throw new DelegationError(
    'unavailable',
    `a replica of the database has not applied block ${needed.syncedBlock} yet`,
    {
      retryAfterMs: 10_000,
    },
  );
}

/** Returns the time since the last indexed block was produced, in seconds. */
export function lagSeconds(
  { syncedSeconds }: Pick<IndexPosition, 'syncedSeconds'>,
  nowMs = Date.now(),
): number | undefined {
  return syncedSeconds === undefined ? undefined : Math.max(0, Math.floor(nowMs / 1_000) - syncedSeconds);
}

/** Time as Hive writes it: UTC to the second, without a zone, such as `2026-01-31T12:00:00`. */
export function chainTimeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19);
}
