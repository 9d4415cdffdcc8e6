import { type Queryable } from '@waggle/service';
import { type IndexState } from './index-state';

interface IndexStateRow {
  synced_block: string;
  synced_time: Date | null;
  irreversible_block: string;
  loaded_from: string;
  loaded_to: string;
  returns_loaded_to: string;
  history_from: string;
  as_of_from: string;
  backfill_from: string | null;
  next_delegation_id: string;
}

const columns = `synced_block, synced_time, irreversible_block, loaded_from, loaded_to, returns_loaded_to, history_from,
  as_of_from, backfill_from, next_delegation_id`;

/** Undefined before the indexer has begun. */
export async function findIndexState(queryable: Queryable): Promise<IndexState | undefined> {
  const { rows } = await queryable.query<IndexStateRow>({
    name: 'index-state',
    text: `SELECT ${columns} FROM index_state`,
  });
  return rows[0] && stateOf(rows[0]);
}

/** @throws Error before the indexer has begun */
export async function getIndexState(queryable: Queryable): Promise<IndexState> {
  const state = await findIndexState(queryable);
  if (state === undefined) throw notBegun();
  return state;
}

/**
 * The state, locked until the transaction ends: the follower and the backfill both give ids to pairs that they meet.
 *
 * @throws Error before the indexer has begun
 */
export async function lockIndexState(client: Queryable): Promise<IndexState> {
  const { rows } = await client.query<IndexStateRow>({
    name: 'lock-index-state',
    text: `SELECT ${columns} FROM index_state FOR UPDATE`,
  });
  if (rows[0] === undefined) throw notBegun();
  return stateOf(rows[0]);
}

function notBegun(): Error {
  return new Error('the index has not begun');
}

/** Begins the index. */
export async function insertIndexState(client: Queryable, state: IndexState): Promise<void> {
  await client.query(`INSERT INTO index_state (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, [
    state.syncedBlock,
    state.syncedTime,
    state.irreversibleBlock,
    state.loadedFrom,
    state.loadedTo,
    state.returnsLoadedTo,
    state.historyFrom,
    state.asOfFrom,
    state.backfillFrom,
    state.nextDelegationId,
  ]);
}

/** bigints come as texts; the numbers of blocks and of pairs are far below 2^53. */
function stateOf(row: IndexStateRow): IndexState {
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

/** Blocks up to this one are applied. */
export async function advanceIndexState(
  client: Queryable,
  to: Pick<IndexState, 'syncedBlock' | 'syncedTime' | 'irreversibleBlock' | 'nextDelegationId'>,
): Promise<void> {
  await client.query({
    name: 'advance-index-state',
    text: `
      UPDATE index_state
      SET synced_block = $1, synced_time = $2, irreversible_block = $3, next_delegation_id = $4`,
    values: [to.syncedBlock, to.syncedTime, to.irreversibleBlock, to.nextDelegationId],
  });
}

/** The ids up to this one are given. */
export async function setNextDelegationId(client: Queryable, nextDelegationId: number): Promise<void> {
  await client.query({
    name: 'set-next-delegation-id',
    text: 'UPDATE index_state SET next_delegation_id = $1',
    values: [nextDelegationId],
  });
}
