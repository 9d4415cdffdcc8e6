import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '@waggle/service';
import { SessionsStore } from './sessions.store';

/** Interval of deletions, in milliseconds. */
const deleteIntervalMs = 60 * 60 * 1_000;
/** Expired sessions are useless; a day leaves time to investigate incidents. */
const retentionSeconds = 24 * 60 * 60;
/** Maximum rows per statement, so that none takes long. */
const deletedAtOnce = 10_000;

/** Deletes sessions some time after they expire. Several instances do it side by side. */
@Injectable()
export class SessionRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly store: SessionsStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    void this.deleteExpired();
    this.timer = setInterval(() => void this.deleteExpired(), deleteIntervalMs).unref();
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    clearInterval(this.timer);
  }

  private async deleteExpired(): Promise<void> {
    try {
      let deleted = deletedAtOnce;
      while (deleted === deletedAtOnce && !this.isStopped)
        deleted = await this.store.deleteExpired(retentionSeconds, deletedAtOnce);
    } catch (err) {
      this.logger.error({ err }, 'cannot delete expired sessions');
    }
  }
}
