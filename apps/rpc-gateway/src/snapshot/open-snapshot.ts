import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type ChainProperties, findCheckpoint } from '@waggle/chain';
import { sql, Statement } from '@waggle/service';
import { followerName } from '../index-state/index-state';
import { formatName, formatVersion, schemaVersion, type SnapshotHead } from './manifest';
import { SnapshotConnection } from './snapshot-connection';
import { SnapshotError } from './snapshot-error';
import { deleteRequests, insertRequest, lockIndex } from './snapshot-requests';
import { indexStateTable } from '../index-state/index-state.entity';
import { snapshotRequestTable } from './snapshot-request.entity';

/** One row: what the head of a snapshot says about the index; none if the index is empty. */
const selectIndexState = new Statement({
  name: 'snapshot-index-state',
  text: `
    SELECT first_block, begins, notification_days, notifications_from, has_posts, has_votes, body_days, bodies_from,
      next_account_id, next_post_id
    FROM index_state`,
  parameters: {},
  columns: {
    first_block: indexStateTable.firstBlock,
    begins: indexStateTable.begins,
    notification_days: indexStateTable.notificationDays,
    notifications_from: indexStateTable.notificationsFrom,
    has_posts: indexStateTable.hasPosts,
    has_votes: indexStateTable.hasVotes,
    body_days: indexStateTable.bodyDays,
    bodies_from: indexStateTable.bodiesFrom,
    next_account_id: indexStateTable.nextAccountId,
    next_post_id: indexStateTable.nextPostId,
  },
});

/** `$1` key. One row: whether this session holds the lock, which marks its request as not abandoned. */
const lockKeyOfSession = new Statement({
  name: 'snapshot-lock-key',
  text: 'SELECT pg_try_advisory_lock($1) AS "isLocked"',
  parameters: { lockKey: snapshotRequestTable.lockKey },
  columns: { isLocked: sql.notNull(sql.bool) },
});

export interface SnapshotOptions {
  readonly url: string;
  readonly chainId: string;
  /** The block to wait for; without it, the last applied one. */
  readonly atBlock?: number | undefined;
  readonly signal: AbortSignal;
  /** Called when the number of the last applied block changes while it waits. */
  readonly onWaiting?: (appliedBlock: number) => void;
}

/** The index as of a block, in an open transaction, while the indexer continues. */
export interface OpenSnapshot {
  readonly connection: SnapshotConnection;
  readonly head: SnapshotHead;
  readonly chainProperties: ChainProperties;
}

/**
 * Opens the index as of a block, and waits until the indexer has applied it.
 *
 * @throws SnapshotError if the index is empty or already beyond the block
 */
export async function openSnapshot(options: SnapshotOptions): Promise<OpenSnapshot> {
  return options.atBlock === undefined ? await openCurrent(options) : await openAt(options, options.atBlock);
}

async function openCurrent({ url, chainId, signal }: SnapshotOptions): Promise<OpenSnapshot> {
  const connection = await SnapshotConnection.open(url, { signal, isolation: 'repeatable read' });
  try {
    await connection.client.query('BEGIN');
    return { connection, ...(await readHead(connection, chainId)) };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Opens the index as of a block. A separate connection holds the request, so that the indexer continues if this process
 * ends.
 */
async function openAt(options: SnapshotOptions, atBlock: number): Promise<OpenSnapshot> {
  const requesting = await SnapshotConnection.open(options.url, {
    signal: options.signal,
    isolation: 'read committed',
  });
  try {
    const lockKey = randomBytes(8).readBigInt64LE();
    await requestSnapshot(requesting, lockKey, atBlock);
    await untilApplied(requesting, atBlock, options);
    const snapshot = await openCurrent(options);
    try {
      if (snapshot.head.block.number !== atBlock) throw passed(atBlock, snapshot.head.block.number);
      await deleteRequests.execute(requesting.client, { lockKeys: [lockKey] });
    } catch (error) {
      snapshot.connection.close();
      throw error;
    }
    return snapshot;
  } finally {
    requesting.close();
  }
}

/** Asks the indexer to stop after a block, under the lock of the index. */
async function requestSnapshot({ client }: SnapshotConnection, lockKey: bigint, atBlock: number): Promise<void> {
  await lockKeyOfSession.execute(client, { lockKey });
  await client.query('BEGIN');
  await lockIndex.execute(client, {});
  const applied = await findCheckpoint(client, followerName);
  if (applied !== undefined && applied.number > atBlock) throw passed(atBlock, applied.number);
  await insertRequest.execute(client, { lockKey, blockNumber: atBlock });
  await client.query('COMMIT');
}

const minPollMs = 20;
const maxPollMs = 2_000;

async function untilApplied(
  { client }: SnapshotConnection,
  atBlock: number,
  { signal, onWaiting }: SnapshotOptions,
): Promise<void> {
  let reported: number | undefined;
  for (;;) {
    const { number } = (await findCheckpoint(client, followerName)) ?? { number: 0 };
    if (number >= atBlock) return;
    if (number !== reported) onWaiting?.(number);
    reported = number;
    // An indexer that catches up applies about one block per millisecond, and stops at the block anyway.
    await setTimeout(Math.min(maxPollMs, minPollMs + (atBlock - number)), undefined, { signal });
  }
}

function passed(atBlock: number, applied: number): SnapshotError {
  return new SnapshotError(
    'block-passed',
    `The index has already applied block ${applied}, and cannot be exported as of block ${atBlock}: specify a later block`,
  );
}

async function readHead(
  { client }: SnapshotConnection,
  chainId: string,
): Promise<Pick<OpenSnapshot, 'head' | 'chainProperties'>> {
  const checkpoint = await findCheckpoint(client, followerName);
  const state = await selectIndexState.find(client, {});
  if (checkpoint?.timestamp === undefined || state === undefined)
    throw new SnapshotError('empty-index', 'The index is empty: no block was applied yet');
  const { number, id, timestamp, ...chainProperties } = checkpoint;
  const head = {
    format: formatName,
    version: formatVersion,
    schema: schemaVersion,
    chain_id: chainId,
    block: { number, id, time: timestamp.toISOString() },
    index: {
      first_block: state.first_block,
      begins: state.begins.toISOString(),
      notification_days: state.notification_days,
      notifications_from: state.notifications_from.toISOString(),
      has_posts: state.has_posts,
      has_votes: state.has_votes,
      body_days: state.body_days,
      bodies_from: state.bodies_from.toISOString(),
      next_account_id: state.next_account_id,
      next_post_id: state.next_post_id,
    },
  } as const;
  return { head, chainProperties };
}
