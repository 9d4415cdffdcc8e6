import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger, RepeatedLine } from '@waggle/service';
import { Cursor } from '../streams/cursor';
import { Streams } from '../streams/streams';
import { StreamsMetrics } from '../streams/streams.metrics';
import { StreamsStore } from '../streams/streams.store';
import { MessageQueue } from './message-queue';

/** How often the database is asked what was committed: what no hint has told is told after this at the latest. */
const lookEveryMs = 1_000;
/** So long a missing entry may be on its way by itself before it is read. */
const graceMs = 50;

/**
 * Finds what this instance was not told of, so that a lost hint costs nothing but time: asks the database what was
 * committed lately, and reads what is missing. It reads in turn with this instance's own commits, which tell of themselves.
 */
@Injectable()
export class CatchUp implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private gapTimer: NodeJS.Timeout | undefined;
  private stopped = false;
  private since = new Date(Date.now() - 60_000);
  private readonly faults: RepeatedLine;

  constructor(
    private readonly streams: Streams,
    private readonly store: StreamsStore,
    private readonly queue: MessageQueue,
    private readonly cursor: Cursor,
    private readonly metrics: StreamsMetrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.faults = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot look for what was committed elsewhere');
    });
    streams.onGap = () => {
      this.gapTimer ??= setTimeout(() => void this.fillLater(), graceMs);
    };
  }

  onApplicationBootstrap() {
    this.timer = setTimeout(() => void this.look(), lookEveryMs);
  }

  onModuleDestroy() {
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.gapTimer);
  }

  private async look() {
    try {
      const { completeUntil, ...commits } = await this.store.findCommits(this.since);
      await this.streams.learn(commits);
      await this.fill();
      if (this.streams.haveTold(commits.places)) {
        this.since = completeUntil;
        this.cursor.advance(completeUntil);
      }
    } catch (error) {
      this.faults.say(error);
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.look(), lookEveryMs);
  }

  private async fillLater() {
    try {
      await this.fill();
    } catch (error) {
      this.faults.say(error);
    }
    this.gapTimer = undefined;
    // What is still missing will be found when we look again.
  }

  /** Reads what is missing, as long as there is something to be read. */
  private async fill(): Promise<void> {
    if (this.streams.missing().length === 0) return;
    await this.queue.inTurn(async () => {
      for (let found = 1; found > 0;) {
        const missing = this.streams.missing();
        const entries = missing.length === 0 ? [] : await this.store.findEntries(missing);
        this.streams.fill(missing, entries);
        found = entries.length;
        this.metrics.filled.inc(found);
      }
    });
  }
}
