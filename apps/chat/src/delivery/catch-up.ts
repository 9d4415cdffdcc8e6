import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { chunks } from '../portions';
import { type Position } from '../log/entry';
import { commitRetentionMs, LogStore } from '../log/log.store';
import { SharedRuns } from '../shared-runs';
import { Cursor } from './cursor';
import { Delivery } from './delivery';

/** How often the database is polled for recent commits, in milliseconds: the maximum delay caused by a lost notification. */
const pollIntervalMs = 1_000;
/** Streams whose missing entries, or last sequence numbers, are read by one statement. */
const maxStreamsToFill = 50;
const maxStreamsToCheck = 1_000;
/** How long a missing entry may be on its way before it is read from the database, in milliseconds. */
const gapGraceMs = 50;

/**
 * Finds entries that no notification has brought, so that a lost one costs nothing but time: polls for recent commits, and reads what
 * is missing. Own commits among them are delivered first by the requests that made them.
 */
@Injectable()
export class CatchUp implements OnModuleDestroy {
  private pollTimer: NodeJS.Timeout | undefined;
  private gapTimer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private readonly fills = new SharedRuns(() => this.fillMissing());
  private readonly failures: ThrottledLog;

  constructor(
    private readonly delivery: Delivery,
    private readonly log: LogStore,
    private readonly cursor: Cursor,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = new ThrottledLog((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot read what was committed elsewhere');
    });
    delivery.on('gap', () => {
      if (!this.isStopped) this.gapTimer ??= setTimeout(() => void this.fillGaps(), gapGraceMs);
    });
  }

  /** Resolves when the database has been polled once. */
  async start() {
    await this.poll();
  }

  onModuleDestroy() {
    this.isStopped = true;
    clearTimeout(this.pollTimer);
    clearTimeout(this.gapTimer);
  }

  private async poll() {
    try {
      const { timeline } = this.cursor;
      const completeUntil = await this.log.findCompleteUntil();
      const positions = await this.findCommitted(completeUntil);
      this.delivery.expect(positions);
      await this.fills.run();
      if (this.delivery.hasDelivered(positions)) this.cursor.advance(completeUntil, timeline);
    } catch (error) {
      this.failures.log(error);
    }
    if (!this.isStopped) this.pollTimer = setTimeout(() => void this.poll(), pollIntervalMs);
  }

  /** Returns the last sequence numbers of the streams that have grown since the last poll. */
  private async findCommitted(completeUntil: Date): Promise<Position[]> {
    const behindMs = completeUntil.getTime() - this.cursor.reached.getTime();
    if (behindMs < commitRetentionMs / 2) return await this.log.findCommits(this.cursor.reached);
    // The commit log does not reach back that far.
    const positions: Position[] = [];
    for (const streams of chunks(this.delivery.streamIds(), maxStreamsToCheck))
      positions.push(...(await this.log.findLastSeqs(streams)));
    return positions;
  }

  private async fillGaps() {
    // A gap that appears from now on gets a fill of its own.
    this.gapTimer = undefined;
    try {
      await this.fills.run();
    } catch (error) {
      // The next poll tries again.
      this.failures.log(error);
    }
  }

  /** Reads what is missing. */
  private async fillMissing(): Promise<void> {
    for (let missing = this.delivery.missing(); missing.length > 0; missing = this.delivery.missing()) {
      let found = 0;
      for (const some of chunks(missing, maxStreamsToFill)) found += await this.delivery.fill(some);
      if (found === 0) return;
    }
  }
}
