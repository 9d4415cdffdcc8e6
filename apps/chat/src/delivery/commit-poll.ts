import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { chunks } from '../portions';
import { type Position } from '../log/entry';
import { commitRetentionMs, LogStore } from '../log/log.store';
import { SharedRuns } from '../shared-runs';
import { Cursor } from './cursor';
import { OpenStreams } from './open-streams';

/** Pause between polls, in milliseconds. An entry whose bus message is lost is late by about as much. */
const pollIntervalMs = 1_000;
/** Maximum number of streams in a statement that reads last sequence numbers. */
const maxStreamsToCheck = 1_000;
/** Time for late bus messages to arrive before a stream that is behind is read from the database, in milliseconds. */
const graceMs = 50;

/**
 * Delivers entries whose bus messages were lost or are late: polls for recent commits, and lets the streams that
 * are behind catch up.
 */
@Injectable()
export class CommitPoll implements OnModuleDestroy {
  private pollTimer: NodeJS.Timeout | undefined;
  private graceTimer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private readonly catchUps = new SharedRuns(() => this.catchUp());
  private readonly failures: ThrottledLog;

  constructor(
    private readonly streams: OpenStreams,
    private readonly log: LogStore,
    private readonly cursor: Cursor,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = ThrottledLog.errors(logger, 'cannot read recent commits');
    streams.on('behind', () => {
      if (!this.isStopped) this.graceTimer ??= setTimeout(() => void this.endGrace(), graceMs);
    });
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    clearTimeout(this.pollTimer);
    clearTimeout(this.graceTimer);
  }

  /** Polls now, and again after each pause until the instance ends. Resolves after the first poll; never rejects. */
  async poll(): Promise<void> {
    await this.pollOnce();
    if (!this.isStopped) this.pollTimer = setTimeout(() => void this.poll(), pollIntervalMs);
  }

  private async pollOnce(): Promise<void> {
    try {
      // Before the instant, which `advance` then ignores if another database takes over meanwhile.
      const { timeline } = this.cursor;
      const completeUntil = await this.log.findCompleteUntil();
      const positions = await this.findCommitted(completeUntil);
      this.streams.expect(positions);
      await this.catchUps.run();
      if (this.streams.haveDelivered(positions)) this.cursor.advance(completeUntil, timeline);
    } catch (error) {
      this.failures.log(error);
    }
  }

  /** Returns the last sequence numbers of streams that may have grown since the cursor. */
  private async findCommitted(completeUntil: Date): Promise<Position[]> {
    const behindMs = completeUntil.getTime() - this.cursor.reached.getTime();
    // Half of the retention leaves time to read the commits before they are deleted from the log.
    const isInCommitLog = behindMs < commitRetentionMs / 2;
    if (isInCommitLog) return await this.log.findCommits(this.cursor.reached);
    const positions: Position[] = [];
    for (const streams of chunks(this.streams.ids(), maxStreamsToCheck))
      positions.push(...(await this.log.findLastSeqs(streams)));
    return positions;
  }

  private async endGrace(): Promise<void> {
    // A stream that falls behind from now on sets a new timer.
    this.graceTimer = undefined;
    try {
      await this.catchUps.run();
    } catch (error) {
      // The next poll tries again.
      this.failures.log(error);
    }
  }

  private async catchUp(): Promise<void> {
    while (this.streams.isBehind) {
      const entries = await this.streams.catchUp();
      // The missing entries are not visible yet; the next poll reads again.
      if (entries === 0) return;
    }
  }
}
