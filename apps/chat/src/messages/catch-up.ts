import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger, RepeatedLine } from '@waggle/service';
import { Cursor } from '../streams/cursor';
import { Streams } from '../streams/streams';
import { StreamsMetrics } from '../streams/streams.metrics';
import { type Commits, commitsKeptMs, StreamsStore } from '../streams/streams.store';
import { OwnCommits } from './own-commits';

/** How often the database is asked what was committed: what no hint has told is told after this at the latest. */
const lookEveryMs = 1_000;
/** Of so many streams what is missing is read by one statement, and of so many accounts what they hear. */
const streamsAtOnce = 50;
const accountsAtOnce = 500;
/** So long a missing entry may be on its way by itself before it is read. */
const graceMs = 50;

/**
 * Finds what this instance was not told of, so that a lost hint costs nothing but time: asks the database what was
 * committed lately, and reads what is missing. Its own commits among it tell of themselves first.
 */
@Injectable()
export class CatchUp implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private gapTimer: NodeJS.Timeout | undefined;
  private stopped = false;
  /** Resolves when what was found missing so far was read. */
  private filled: Promise<void> = Promise.resolve();
  /** The next reading, as long as it has not begun. */
  private waiting: Promise<void> | undefined;
  private readonly faults: RepeatedLine;

  constructor(
    private readonly streams: Streams,
    private readonly store: StreamsStore,
    private readonly commits: OwnCommits,
    private readonly cursor: Cursor,
    private readonly metrics: StreamsMetrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.faults = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot look for what was committed elsewhere');
    });
    streams.onGap = () => {
      if (!this.stopped) this.gapTimer ??= setTimeout(() => void this.fillLater(), graceMs);
    };
  }

  onApplicationBootstrap() {
    void this.look();
  }

  onModuleDestroy() {
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.gapTimer);
  }

  private async look() {
    try {
      const completeUntil = await this.store.findCompleteUntil();
      const places = await this.learn(completeUntil);
      await this.fill();
      if (this.streams.haveTold(places)) this.cursor.advance(completeUntil);
    } catch (error) {
      this.faults.say(error);
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.look(), lookEveryMs);
  }

  /** What was committed since we looked last. @returns the places up to which it goes */
  private async learn(completeUntil: Date): Promise<Commits['places']> {
    const awayMs = completeUntil.getTime() - this.cursor.reached.getTime();
    if (awayMs < commitsKeptMs / 2) {
      const commits = await this.store.findCommits(this.cursor.reached);
      await this.streams.learn(commits);
      return commits.places;
    }
    // Of so long ago not everything is noted any more: where every stream stands now, and who hears it.
    const places: Commits['places'] = [];
    for (const accounts of chunks(this.streams.accounts(), accountsAtOnce)) {
      const hearings = await this.store.findHearings(accounts);
      const known = new Set(hearings.map(({ account, stream }) => `${account} ${stream}`));
      const heard = this.streams.heardBy(accounts).filter(({ account, stream }) => !known.has(`${account} ${stream}`));
      const ended = await this.store.findHearingsOf(heard);
      const standing = [...hearings, ...ended].map(({ stream, lastSeq }) => ({ stream, seq: lastSeq }));
      const looks = [
        hearings.map((each) => ({ ...each, again: false })),
        ended.map((each) => ({ ...each, again: true })),
      ];
      await this.streams.learn({ places: standing, looks: looks.flat() });
      places.push(...standing);
    }
    return places;
  }

  private async fillLater() {
    // A gap that appears from now on has a reading of its own.
    this.gapTimer = undefined;
    try {
      await this.fill();
    } catch (error) {
      this.faults.say(error);
    }
    // What is still missing will be found when we look again.
  }

  /**
   * Reads what is missing, as long as there is something to be read. One time after the other: each finds what is left, so that
   * no more than one has to wait for the one under way.
   */
  private fill(): Promise<void> {
    if (this.waiting !== undefined) return this.waiting;
    const waiting = this.filled.then(() => {
      this.waiting = undefined;
      return this.fillMissing();
    });
    this.filled = waiting.catch(() => undefined);
    this.waiting = waiting;
    return waiting;
  }

  private async fillMissing(): Promise<void> {
    for (let missing = this.streams.missing(); missing.length > 0; missing = this.streams.missing()) {
      let found = 0;
      for (const some of chunks(missing, streamsAtOnce)) {
        const entries = await this.store.findEntries(some);
        await this.commits.told();
        this.streams.fill(some, entries);
        found += entries.length;
      }
      this.metrics.filled.inc(found);
      if (found === 0) return;
    }
  }
}

function* chunks<T>(all: readonly T[], size: number): Iterable<readonly T[]> {
  for (let begin = 0; begin < all.length; begin += size) yield all.slice(begin, begin + size);
}
