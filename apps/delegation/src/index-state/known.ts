import { DelegationError } from '../errors';
import { type Row } from '../reads/question';

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

const columns = ['synced_block', 'synced_seconds', 'loaded_to', 'as_of_from'];

/** The columns that such rows begin with, and how many these are. */
export const knownColumns = columns.map((column) => `known.${column}`).join(', ');
export const knownWidth = columns.length;

/** @throws DelegationError `unavailable` while there is nothing to answer with */
export function readKnown(row: Row | undefined): Known {
  const [syncedBlock, syncedSeconds, loadedTo, asOfFrom] = row ?? [];
  if (syncedBlock == null || Number(syncedBlock) < Number(loadedTo)) {
    throw new DelegationError('unavailable', 'the index is being built; see /api/deleg/status', {
      retryAfterMs: 10_000,
    });
  }
  return {
    syncedBlock: Number(syncedBlock),
    syncedSeconds: syncedSeconds == null ? undefined : Number(syncedSeconds),
    asOfFrom: Number(asOfFrom),
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
