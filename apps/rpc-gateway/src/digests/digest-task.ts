import { setTimeout } from 'node:timers/promises';
import { findCheckpoint, type HiveNodes } from '@waggle/chain';
import { type Logger, ThrottledLog } from '@waggle/service';
import { followerName } from '../index-state/index-state';
import { hasComparableDigest } from '../snapshot/manifest';
import { openSnapshot, type OpenSnapshot } from '../snapshot/open-snapshot';
import { readChainId } from '../snapshot/read-chain-id';
import { SnapshotConnection } from '../snapshot/snapshot-connection';
import { SnapshotContent } from '../snapshot/snapshot-content';
import { SnapshotError } from '../snapshot/snapshot-error';
import { digestDocumentOf } from './digest-document';
import { digestAt, insertDigest, lockDigests } from './digest.statements';

export interface DigestTaskOptions {
  readonly url: string;
  readonly hive: HiveNodes;
  /** Digests are computed as of the multiples of this number; 0 for none. */
  readonly intervalBlocks: number;
  readonly logger: Logger;
}

/** Pause before the next attempt, in milliseconds, after an error or while another indexer computes the digests. */
const retryMs = 5_000;

/**
 * Computes and stores the digests of the index at multiples of `intervalBlocks`, on connections of its own, while the
 * indexer continues. They equal the digests of an exported snapshot, but no file is written.
 */
export class DigestTask {
  private readonly failures: ThrottledLog;

  constructor(private readonly options: DigestTaskOptions) {
    this.failures = ThrottledLog.warnings(
      options.logger,
      'the digest of the index was not computed; the task tries again',
    );
  }

  /** Resolves when the signal is aborted. Errors are logged, and do not stop the indexer. */
  async run(signal: AbortSignal): Promise<void> {
    while (this.options.intervalBlocks > 0 && !signal.aborted) {
      try {
        await this.computeAll(signal);
      } catch (error) {
        this.report(error, signal);
      }
      await setTimeout(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private report(error: unknown, { aborted }: AbortSignal): void {
    if (!aborted) this.failures.log(error);
  }

  /** Returns at once if another process holds the lock; otherwise runs until an error or the abort. */
  private async computeAll(signal: AbortSignal): Promise<void> {
    const connection = await SnapshotConnection.open(this.options.url, { signal, isolation: 'read committed' });
    try {
      const lock = await lockDigests.find(connection.client, {});
      if (lock?.isLocked !== true) return;
      const chainId = await readChainId(this.options.hive);
      for (let block = 0; ;) block = await this.computeNext(connection, chainId, block, signal);
    } finally {
      connection.close();
    }
  }

  /**
   * Computes the digest of the next block that needs one.
   *
   * @returns the block that was handled: its digest is stored, or the index had passed it or cannot be compared
   */
  private async computeNext(
    connection: SnapshotConnection,
    chainId: string,
    after: number,
    signal: AbortSignal,
  ): Promise<number> {
    const atBlock = await this.nextBlock(connection, after);
    try {
      const snapshot = await openSnapshot({ url: this.options.url, chainId, atBlock, signal });
      try {
        await this.compute(connection, snapshot, signal);
      } finally {
        snapshot.connection.close();
      }
    } catch (error) {
      // The indexer passed the block before the snapshot was opened.
      if (!(error instanceof SnapshotError && error.code === 'block-passed')) throw error;
    }
    return atBlock;
  }

  private async nextBlock({ client }: SnapshotConnection, after: number): Promise<number> {
    const { intervalBlocks } = this.options;
    const { number: applied } = (await findCheckpoint(client, followerName)) ?? { number: 0 };
    const from = Math.max(applied, after + 1, intervalBlocks);
    const block = Math.ceil(from / intervalBlocks) * intervalBlocks;
    const isStored = (await digestAt.find(client, { blockNumber: block })) !== undefined;
    return isStored ? block + intervalBlocks : block;
  }

  private async compute(connection: SnapshotConnection, snapshot: OpenSnapshot, signal: AbortSignal): Promise<void> {
    const { head } = snapshot;
    const { number } = head.block;
    if (!hasComparableDigest(head)) return;
    const startedMs = performance.now();
    const manifest = await new SnapshotContent(snapshot).readManifest(signal);
    const document = JSON.stringify(digestDocumentOf(head, manifest));
    await insertDigest.execute(connection.client, { blockNumber: number, document });
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    this.options.logger.info(
      { block: number, digest: manifest.digest, seconds },
      'the digest of the index was computed',
    );
  }
}
