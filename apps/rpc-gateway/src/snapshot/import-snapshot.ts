import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import { createGunzip } from 'node:zlib';
import { createCheckpoint, type HiveNodes } from '@waggle/chain';
import { isDataError, Statement } from '@waggle/service';
import { from as copyFrom } from 'pg-copy-streams';
import { followerName } from '../index-state/index-state';
import { checkManifest, checkSectionHead, confirmChain, parseHead } from './check-snapshot';
import { startTableDigest } from './digest';
import { lockEmptyIndex } from './lock-empty-index';
import { type Manifest, type Section, type SnapshotHead } from './manifest';
import { SecondaryIndexes } from './secondary-indexes';
import { SnapshotConnection } from './snapshot-connection';
import { SnapshotError } from './snapshot-error';
import { SnapshotReader } from './snapshot-reader';
import { type SnapshotTable, snapshotTables } from './snapshot-tables';
import { indexStateTable } from '../index-state/index-state.entity';

const insertIndexState = new Statement({
  name: 'snapshot-import-state',
  text: `
    INSERT INTO index_state
      (index_id, first_block, begins, notification_days, notifications_from, has_posts, has_votes, has_rankings, body_days, bodies_from, next_account_id, next_post_id)
    VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, false, $7, $8, $9, $10)`,
  parameters: {
    firstBlock: indexStateTable.firstBlock,
    begins: indexStateTable.begins,
    notificationDays: indexStateTable.notificationDays,
    notificationsFrom: indexStateTable.notificationsFrom,
    hasPosts: indexStateTable.hasPosts,
    hasVotes: indexStateTable.hasVotes,
    bodyDays: indexStateTable.bodyDays,
    bodiesFrom: indexStateTable.bodiesFrom,
    nextAccountId: indexStateTable.nextAccountId,
    nextPostId: indexStateTable.nextPostId,
  },
  columns: {},
});

export interface ImportOptions {
  readonly url: string;
  /** Nodes of the chain that the snapshot must be of. */
  readonly hive: HiveNodes;
  /** The digest that the snapshot must have, as another operator publishes it. */
  readonly expectedDigest?: string | undefined;
  readonly signal: AbortSignal;
  /** Maximum time to wait for the end of an import that was killed; default 15 s. */
  readonly maxLockWaitMs?: number;
  readonly onHead?: (head: SnapshotHead) => void;
  readonly onSection?: (section: Section) => void;
  readonly onIndexBuilt?: (name: string) => void;
}

const chunkSize = 256 * 1_024;

/**
 * Reads a snapshot into an empty, migrated database. The index becomes visible when every digest was checked; an import
 * that is interrupted leaves nothing.
 *
 * @throws SnapshotError if the snapshot or the database is unsuitable, or the nodes are of another chain or do not
 * confirm the block; HiveNodesUnavailableError if none reports its chain id
 */
export async function importSnapshot(input: Readable, options: ImportOptions): Promise<Manifest> {
  const connection = await SnapshotConnection.open(options.url, {
    signal: options.signal,
    isolation: 'read committed',
  });
  const gunzip = createGunzip({ chunkSize });
  // `SnapshotReader` throws these errors when it reads. Without a listener, an earlier one would end the process.
  gunzip.on('error', () => undefined);
  const decompressed = pipeline(input, gunzip, { signal: options.signal }).catch(() => undefined);
  try {
    return await importFrom(new SnapshotReader(gunzip), connection, options);
  } catch (error) {
    throw explainError(error);
  } finally {
    connection.close();
    gunzip.destroy();
    input.destroy();
    await decompressed;
  }
}

async function importFrom(
  reader: SnapshotReader,
  connection: SnapshotConnection,
  { hive, expectedDigest, maxLockWaitMs = 15_000, onHead, onSection, onIndexBuilt }: ImportOptions,
): Promise<Manifest> {
  const { client } = connection;
  await lockEmptyIndex(client, maxLockWaitMs);
  const head = parseHead(await reader.readJson());
  await confirmChain(head, hive);
  onHead?.(head);
  const indexes = await SecondaryIndexes.drop(client);
  const sections: Section[] = [];
  for (const table of snapshotTables) {
    const section = await importSection(reader, connection, table);
    sections.push(section);
    onSection?.(section);
  }
  const manifest = checkManifest(await reader.readJson(), { head, sections, expectedDigest });
  await reader.requireEnd();
  await indexes.rebuild(client, onIndexBuilt);
  await insertState(connection, head, manifest);
  await client.query('COMMIT');
  return manifest;
}

async function importSection(
  reader: SnapshotReader,
  { client }: SnapshotConnection,
  { name, columns, importSql }: SnapshotTable,
): Promise<Section> {
  checkSectionHead(await reader.readJson(), { table: name, columns: [...columns] });
  const digest = startTableDigest();
  const hashed = async function* (): AsyncGenerator<Buffer, void, unknown> {
    for await (const chunk of reader.rows()) {
      digest.update(chunk);
      yield chunk;
    }
  };
  const copied = client.query(copyFrom(importSql));
  await pipeline(hashed, copied);
  return { table: name, columns: [...columns], rows: copied.rowCount, sha256: digest.digest('hex') };
}

async function insertState(
  { client }: SnapshotConnection,
  { block, index }: SnapshotHead,
  { chain }: Manifest,
): Promise<void> {
  await insertIndexState.execute(client, {
    firstBlock: index.first_block,
    begins: new Date(index.begins),
    notificationDays: index.notification_days,
    notificationsFrom: new Date(index.notifications_from),
    hasPosts: index.has_posts,
    hasVotes: index.has_votes,
    bodyDays: index.body_days,
    bodiesFrom: new Date(index.bodies_from),
    nextAccountId: index.next_account_id,
    nextPostId: index.next_post_id,
  });
  await createCheckpoint(client, followerName, {
    number: block.number,
    id: block.id,
    timestamp: new Date(block.time),
    idsAreHashes: chain.ids_are_hashes,
    hasProducerRewards: chain.has_producer_rewards,
  });
}

/** Explains errors of the decompression and of COPY, which come from the file. */
function explainError(error: unknown): unknown {
  // Not `instanceof`: errors of Node's own modules come from another realm if code runs in a context.
  if (!types.isNativeError(error) || !('code' in error) || typeof error.code !== 'string') return error;
  if (error.code === 'Z_BUF_ERROR') return new SnapshotError('truncated', 'The snapshot is truncated', error);
  if (error.code === 'Z_DATA_ERROR')
    return new SnapshotError('altered', `The snapshot is altered, or not compressed by gzip: ${error.message}`, error);
  // Data exceptions and violated constraints.
  if (isDataError(error))
    return new SnapshotError('altered', `The snapshot contains an invalid row: ${error.message}`, error);
  return error;
}
