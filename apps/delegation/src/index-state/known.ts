import { type RowOf, sql } from '@waggle/service';
import { DelegationError } from '../errors';

/** What an answer knows of the chain, read in the same statement as the answer itself. */
export interface Known {
  readonly syncedBlock: number;
  /** Seconds since 1970 of that block; undefined before the first. */
  readonly syncedSeconds: number | undefined;
  /** The earliest block as of which a question can be answered. */
  readonly asOfFrom: number;
}

/**
 * Begins a statement whose rows begin with what is known; `known` is then joined with what is asked for, by a LEFT JOIN so
 * that there is a row in any case. Materialized: it is computed once, not for each row.
 */
export const withKnown = `
  WITH known AS MATERIALIZED (
    SELECT synced_block, extract(epoch FROM synced_time)::bigint AS synced_seconds, loaded_to, as_of_from, history_from
    FROM index_state
  )`;

/** The columns that such rows begin with. */
export const knownColumns = {
  synced_block: sql.notNull(sql.int8),
  synced_seconds: sql.nullable(sql.int8),
  loaded_to: sql.notNull(sql.int8),
  as_of_from: sql.notNull(sql.int8),
};

/** Their names, as they are selected. */
export const knownColumnNames = Object.keys(knownColumns)
  .map((column) => `known.${column}`)
  .join(', ');

/** A row that begins with them. */
export type KnownRow = RowOf<typeof knownColumns>;

/** @throws DelegationError `unavailable` while there is nothing to answer with */
export function readKnown(row: KnownRow | undefined): Known {
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

/** @throws DelegationError where nothing can be told of that block */
export function requireKnownAsOf({ syncedBlock, asOfFrom }: Known, block: number | undefined): void {
  if (block === undefined) return;
  if (block < asOfFrom) {
    throw new DelegationError('before-history', `as_of_block: what was before block ${asOfFrom} is not known`);
  }
  if (block > syncedBlock) {
    throw new DelegationError('not-synced', `as_of_block: the last block that is known is ${syncedBlock}`);
  }
}

/**
 * Of a list that is read in several statements: a later one may be answered by a replica that lags.
 *
 * @throws DelegationError `unavailable` where what answered does not know all that is needed
 */
export function requireSynced({ syncedBlock }: Known, needed: Known): void {
  if (syncedBlock >= needed.syncedBlock) return;
  throw new DelegationError('unavailable', `the database does not know block ${needed.syncedBlock} any more`, {
    retryAfterMs: 10_000,
  });
}

/** How many seconds ago the last block that is known was made. */
export function lagSeconds({ syncedSeconds }: Pick<Known, 'syncedSeconds'>, nowMs = Date.now()): number | undefined {
  return syncedSeconds === undefined ? undefined : Math.max(0, Math.floor(nowMs / 1_000) - syncedSeconds);
}
