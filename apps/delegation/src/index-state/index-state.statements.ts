import { type Queryable, type RowIn, Statement } from '@waggle/service';
import { type IndexState } from './index-state';
import { indexStateTable } from './index-state.entity';

/** The columns by the names of `IndexState`; the table's names are in snake case. */
const columns = {
  syncedBlock: indexStateTable.syncedBlock,
  syncedTime: indexStateTable.syncedTime,
  irreversibleBlock: indexStateTable.irreversibleBlock,
  loadedFrom: indexStateTable.loadedFrom,
  loadedTo: indexStateTable.loadedTo,
  returnsLoadedTo: indexStateTable.returnsLoadedTo,
  historyFrom: indexStateTable.historyFrom,
  asOfFrom: indexStateTable.asOfFrom,
  backfillFrom: indexStateTable.backfillFrom,
  nextDelegationId: indexStateTable.nextDelegationId,
};
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const insertedColumns = Object.keys(columns).map(snakeCase).join(', ');
const selectedColumns = Object.keys(columns)
  .map((name) => `${snakeCase(name)} AS "${name}"`)
  .join(', ');

const selectIndexState = new Statement({
  name: 'index-state',
  text: `SELECT ${selectedColumns} FROM index_state`,
  parameters: {},
  columns,
});

const selectIndexStateForUpdate = new Statement({
  name: 'lock-index-state',
  text: `SELECT ${selectedColumns} FROM index_state FOR UPDATE`,
  parameters: {},
  columns,
});

const insertRow = new Statement({
  name: 'insert-index-state',
  text: `INSERT INTO index_state (${insertedColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  parameters: columns,
  columns: {},
});

const updateSyncedBlock = new Statement({
  name: 'advance-index-state',
  text: `
    UPDATE index_state
    SET synced_block = $1, synced_time = $2, irreversible_block = $3, next_delegation_id = $4`,
  parameters: {
    syncedBlock: indexStateTable.syncedBlock,
    syncedTime: indexStateTable.syncedTime,
    irreversibleBlock: indexStateTable.irreversibleBlock,
    nextDelegationId: indexStateTable.nextDelegationId,
  },
  columns: {},
});

const updateNextDelegationId = new Statement({
  name: 'set-next-delegation-id',
  text: 'UPDATE index_state SET next_delegation_id = $1',
  parameters: { nextDelegationId: indexStateTable.nextDelegationId },
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

/** Inserts the first state, which the index begins with. */
export async function insertIndexState(client: Queryable, state: IndexState): Promise<void> {
  await insertRow.execute(client, state);
}

/** bigints come as texts; the numbers of blocks and of pairs are far below 2^53. */
function stateOf(row: RowIn<typeof selectIndexState>): IndexState {
  return {
    syncedBlock: Number(row.syncedBlock),
    syncedTime: row.syncedTime,
    irreversibleBlock: Number(row.irreversibleBlock),
    loadedFrom: Number(row.loadedFrom),
    loadedTo: Number(row.loadedTo),
    returnsLoadedTo: Number(row.returnsLoadedTo),
    historyFrom: Number(row.historyFrom),
    asOfFrom: Number(row.asOfFrom),
    backfillFrom: row.backfillFrom === null ? null : Number(row.backfillFrom),
    nextDelegationId: Number(row.nextDelegationId),
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
