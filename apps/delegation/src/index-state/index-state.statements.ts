import { type Queryable, type RowIn, sql, Statement } from '@waggle/service';
import { type IndexState } from './index-state';

const columns = {
  synced_block: sql.int8,
  synced_time: sql.nullable(sql.timestamptz),
  irreversible_block: sql.int8,
  loaded_from: sql.int8,
  loaded_to: sql.int8,
  returns_loaded_to: sql.int8,
  history_from: sql.int8,
  as_of_from: sql.int8,
  backfill_from: sql.nullable(sql.int8),
  next_delegation_id: sql.int8,
};
const columnNames = Object.keys(columns).join(', ');

const selectIndexState = new Statement({
  name: 'index-state',
  text: `SELECT ${columnNames} FROM index_state`,
  parameters: {},
  columns,
});

const selectIndexStateForUpdate = new Statement({
  name: 'lock-index-state',
  text: `SELECT ${columnNames} FROM index_state FOR UPDATE`,
  parameters: {},
  columns,
});

const insertRow = new Statement({
  name: 'insert-index-state',
  text: `INSERT INTO index_state (${columnNames}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  parameters: columns,
  columns: {},
});

const updateSyncedBlock = new Statement({
  name: 'advance-index-state',
  text: `
    UPDATE index_state
    SET synced_block = $1, synced_time = $2, irreversible_block = $3, next_delegation_id = $4`,
  parameters: {
    syncedBlock: sql.int8,
    syncedTime: sql.nullable(sql.timestamptz),
    irreversibleBlock: sql.int8,
    nextDelegationId: sql.int8,
  },
  columns: {},
});

const updateNextDelegationId = new Statement({
  name: 'set-next-delegation-id',
  text: 'UPDATE index_state SET next_delegation_id = $1',
  parameters: { nextDelegationId: sql.int8 },
  columns: {},
});

/** Reads the state; undefined before the index has begun. */
export async function findIndexState(queryable: Queryable): Promise<IndexState | undefined> {
  const row = await selectIndexState.find(queryable, {});
  return row && stateOf(row);
}

/** Reads the state. @throws Error before the index has begun */
export async function getIndexState(queryable: Queryable): Promise<IndexState> {
  const state = await findIndexState(queryable);
  if (state === undefined) throw notBegun();
  return state;
}

/**
 * Reads the state and locks it until the transaction ends: the follower and the backfill both assign ids to new pairs.
 *
 * @throws Error before the index has begun
 */
export async function lockIndexState(client: Queryable): Promise<IndexState> {
  const row = await selectIndexStateForUpdate.find(client, {});
  if (row === undefined) throw notBegun();
  return stateOf(row);
}

function notBegun(): Error {
  return new Error('the index has not begun');
}

/** Inserts the first state, with which the index begins. */
export async function insertIndexState(client: Queryable, state: IndexState): Promise<void> {
  await insertRow.execute(client, {
    synced_block: state.syncedBlock,
    synced_time: state.syncedTime,
    irreversible_block: state.irreversibleBlock,
    loaded_from: state.loadedFrom,
    loaded_to: state.loadedTo,
    returns_loaded_to: state.returnsLoadedTo,
    history_from: state.historyFrom,
    as_of_from: state.asOfFrom,
    backfill_from: state.backfillFrom,
    next_delegation_id: state.nextDelegationId,
  });
}

/** bigints come as texts; the numbers of blocks and of pairs are far below 2^53. */
function stateOf(row: RowIn<typeof selectIndexState>): IndexState {
  return {
    syncedBlock: Number(row.synced_block),
    syncedTime: row.synced_time,
    irreversibleBlock: Number(row.irreversible_block),
    loadedFrom: Number(row.loaded_from),
    loadedTo: Number(row.loaded_to),
    returnsLoadedTo: Number(row.returns_loaded_to),
    historyFrom: Number(row.history_from),
    asOfFrom: Number(row.as_of_from),
    backfillFrom: row.backfill_from === null ? null : Number(row.backfill_from),
    nextDelegationId: Number(row.next_delegation_id),
  };
}

/** Records that the blocks up to `to.syncedBlock` are applied. */
export async function advanceIndexState(
  client: Queryable,
  to: Pick<IndexState, 'syncedBlock' | 'syncedTime' | 'irreversibleBlock' | 'nextDelegationId'>,
): Promise<void> {
  await updateSyncedBlock.execute(client, to);
}

/** Records that all ids below this one are assigned. */
export async function setNextDelegationId(client: Queryable, nextDelegationId: number): Promise<void> {
  await updateNextDelegationId.execute(client, { nextDelegationId });
}
