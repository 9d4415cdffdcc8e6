import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { chunks } from '../portions';
import { type Position } from '../log/entry';
import { commitRetentionMs, LogStore } from '../log/log.store';
import { SharedRuns } from '../shared-runs';
import { Cursor } from './cursor';
import { OpenStreams } from './streams';

/** Pause between polls for recent commits, in milliseconds: about the maximum delay caused by a lost bus message. */
const pollIntervalMs = 1_000;
/** Maximum number of streams of which one statement reads the last sequence numbers. */
const maxStreamsToCheck = 1_000;
/** How long a stream that is behind waits for late messages before the database is read, in milliseconds. */
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

  /** Polls, now and from then on. Resolves after this poll, also if it fails. */
  async poll(): Promise<void> {
    try {
      const { timeline } = this.cursor;
      const completeUntil = await this.log.findCompleteUntil();
      const positions = await this.findCommitted(completeUntil);
      this.streams.expect(positions);
      await this.catchUps.run();
      if (this.streams.haveDelivered(positions)) this.cursor.advance(completeUntil, timeline);
    } catch (error) {
      this.failures.log(error);
    }
    if (!this.isStopped) this.pollTimer = setTimeout(() => void this.poll(), pollIntervalMs);
  }

  /** Returns the last sequence numbers of streams that may have grown since the cursor. */
  private async findCommitted(completeUntil: Date): Promise<Position[]> {
    const behindMs = completeUntil.getTime() - this.cursor.reached.getTime();
    if (behindMs < commitRetentionMs / 2) return await this.log.findCommits(this.cursor.reached);
    // The commit log may not reach back that far.
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
    const { streams } = this;
    for (let behind = streams.positionsBehind(); behind.length > 0; behind = streams.positionsBehind())
      if ((await streams.catchUp(behind)) === 0) return;
  }
}
