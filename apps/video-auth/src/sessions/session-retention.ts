import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '@waggle/service';
import { SessionsStore } from './sessions.store';

const lookEveryMs = 60 * 60 * 1_000;
/** An expired session is good for nothing; a day leaves time to look into what happened. */
const keptMs = 24 * 60 * 60 * 1_000;
/** One statement holds no more rows than this; the rest waits for the next look. */
const deletedAtOnce = 10_000;

/** Deletes sessions some time after they have expired. That several instances do is of no harm. */
@Injectable()
export class SessionRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: SessionsStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap() {
    void this.deleteExpired();
    this.timer = setInterval(() => void this.deleteExpired(), lookEveryMs).unref();
  }

  onModuleDestroy() {
    clearInterval(this.timer);
  }

  private async deleteExpired() {
    try {
      await this.store.deleteExpired(new Date(Date.now() - keptMs), deletedAtOnce);
    } catch (err) {
      this.logger.error({ err }, 'cannot delete expired sessions');
    }
  }
}
