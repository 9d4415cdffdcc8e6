import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { type Timeline } from '../log/timeline';
import { TimelineStore } from '../log/timeline.store';
import { Cursor } from './cursor';
import { Delivery } from './delivery';

const checkIntervalMs = 1_000;

/**
 * Notices that another database has taken over. A standby that was promoted may lack commits that were delivered here,
 * and gives their sequence numbers to other entries. So unless replication was synchronous and nothing is missing, the
 * instance closes all connections and forgets what it has delivered. Cursors of the former timeline are rejected, so
 * clients that reconnect fetch their state again.
 */
@Injectable()
export class Failover implements OnModuleDestroy {
  private current: Timeline | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isChecking = false;
  private isStopped = false;
  private readonly failures: ThrottledLog;

  constructor(
    private readonly timelines: TimelineStore,
    private readonly delivery: Delivery,
    private readonly cursor: Cursor,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    timelines.adopted.on('mismatch', () => void this.check());
    this.failures = ThrottledLog.errors(logger, 'cannot check whether another database has taken over');
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Checks the timeline, now and from then on. Resolves after this check, also if it fails. */
  async check(): Promise<void> {
    if (this.isChecking || this.isStopped) return;
    this.isChecking = true;
    clearTimeout(this.timer);
    try {
      const timeline = await this.timelines.read();
      if (this.current !== undefined && timeline.id !== this.current.id) await this.takeOver(this.current, timeline.id);
      if (timeline.id !== this.cursor.timeline) this.cursor.changeTimeline(timeline.id);
      this.current = timeline;
      this.timelines.adopted.adopt(timeline.id);
    } catch (error) {
      this.failures.log(error);
    }
    this.isChecking = false;
    this.scheduleCheck();
  }

  private scheduleCheck(): void {
    if (!this.isStopped) this.timer = setTimeout(() => void this.check(), checkIntervalMs);
  }

  private async takeOver({ isSynchronous }: Timeline, id: string): Promise<void> {
    // Commits on the former database that were acknowledged are delivered before this resolves.
    await this.delivery.streams.ownCommitsDelivered();
    if (isSynchronous && !(await this.timelines.lacksAny(this.delivery.streams.positions()))) {
      this.logger.warn('another database has taken over by synchronous replication: it has all that was delivered');
      return;
    }
    // From here on the new database may be read: what was delivered of the former one is forgotten in the same turn.
    this.timelines.adopted.adopt(id);
    const connections = this.delivery.restart();
    this.logger.error(
      { connections },
      'another database has taken over and may lack commits: all connections are closed, and clients fetch their state again',
    );
  }
}
