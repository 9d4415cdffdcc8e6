import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger, ThrottledLog } from '@waggle/service';
import { Connections } from '../realtime/connections';
import { SessionsStore } from './sessions.store';

/** Interval of polls for revoked sessions, in milliseconds. Their connections are closed within a second. */
const pollIntervalMs = 500;
/** Overlap of two polls, since a revocation becomes visible only when its transaction commits. */
const overlapSeconds = 5;

/** Closes the connections of sessions that any instance revoked. Polls the database, so none can be missed. */
@Injectable()
export class Revocations implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private polledAtMs = Date.now();
  private readonly failures: ThrottledLog;

  constructor(
    private readonly connections: Connections,
    private readonly store: SessionsStore,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = ThrottledLog.errors(logger, 'cannot poll for revoked sessions');
  }

  onApplicationBootstrap(): void {
    this.timer = setTimeout(() => void this.poll(), pollIntervalMs);
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Ends a session: its tokens and local connections at once, connections to other instances with their next poll. */
  async end(sessionId: string): Promise<void> {
    await this.store.revoke(sessionId);
    this.connections.closeSession(sessionId);
  }

  private async poll(): Promise<void> {
    const startedAtMs = Date.now();
    try {
      const seconds = (startedAtMs - this.polledAtMs) / 1_000 + overlapSeconds;
      if (this.connections.size > 0) {
        for (const sessionId of await this.store.revokedWithin(seconds)) this.connections.closeSession(sessionId);
      }
      this.polledAtMs = startedAtMs;
    } catch (error) {
      this.failures.log(error);
    }
    if (this.timer !== undefined) this.timer = setTimeout(() => void this.poll(), pollIntervalMs);
  }
}
