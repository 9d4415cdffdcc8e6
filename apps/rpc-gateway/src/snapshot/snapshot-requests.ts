import { type FollowedBlock } from '@waggle/chain';
import { type Queryable, sql, Statement } from '@waggle/service';
import { indexStateTable } from '../index-state/index-state.entity';
import { snapshotRequestTable } from './snapshot-request.entity';

/** Waits for the batch that is being applied, and keeps the next one from starting until the transaction ends. */
export const lockIndex = new Statement({
  name: 'snapshot-lock-index',
  text: 'SELECT single FROM index_state FOR UPDATE',
  parameters: {},
  columns: { single: indexStateTable.single },
});

/**
 * Requests that the index stops after a block. The caller's transaction holds the lock of the index, and its session
 * the key's.
 */
export const insertRequest = new Statement({
  name: 'snapshot-request',
  text: 'INSERT INTO snapshot_request (lock_key, block_number) VALUES ($1, $2)',
  parameters: { lockKey: snapshotRequestTable.lockKey, blockNumber: snapshotRequestTable.blockNumber },
  columns: {},
});

/** `$1` keys of locks. */
export const deleteRequests = new Statement({
  name: 'snapshot-request-end',
  text: 'DELETE FROM snapshot_request WHERE lock_key = ANY ($1::bigint[])',
  parameters: { lockKeys: sql.arrayOf(snapshotRequestTable.lockKey) },
  columns: {},
});

/** Rows: all requests. The lock of one is only available if the session that made it has ended. */
const selectRequests = new Statement({
  name: 'snapshot-requests',
  text: `
    SELECT lock_key, block_number, pg_try_advisory_xact_lock_shared(lock_key) AS "isAbandoned" FROM snapshot_request`,
  parameters: {},
  columns: {
    lock_key: snapshotRequestTable.lockKey,
    block_number: snapshotRequestTable.blockNumber,
    isAbandoned: sql.notNull(sql.bool),
  },
});

/**
 * Ends a batch at a block that a session waits for (`insertRequest`). The next block is not applied before the session
 * starts to read or ends. For the follower's `limitBatch`.
 *
 * @returns how many of the blocks to apply
 */
export async function limitBatchByRequests(client: Queryable, blocks: readonly FollowedBlock[]): Promise<number> {
  const [first] = blocks;
  if (first === undefined) return 0;
  // Requests are made under the same lock, so none is made while a batch is applied.
  await lockIndex.execute(client, {});
  const requests = await selectRequests.query(client, {});
  if (requests.length === 0) return blocks.length;
  const abandoned = requests.filter(({ isAbandoned }) => isAbandoned).map(({ lock_key: key }) => key);
  if (abandoned.length > 0) await deleteRequests.execute(client, { lockKeys: abandoned });
  const requested = requests
    .filter(({ isAbandoned, block_number: block }) => !isAbandoned && block >= first.number - 1)
    .map(({ block_number: block }) => block);
  return Math.min(blocks.length, ...requested.map((block) => block - first.number + 1));
}
