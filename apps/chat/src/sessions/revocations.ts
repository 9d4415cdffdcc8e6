import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger, RepeatedLine } from '@waggle/service';
import { Connections } from '../realtime/connections';
import { SessionsStore } from './sessions.store';

/** How often an instance looks for sessions that were revoked elsewhere: they are to be refused within a second. */
const lookEveryMs = 500;
/** So far back each look goes beyond the last one: a revocation is visible only when its transaction commits. */
const overlapSeconds = 5;

/** Closes the sockets of sessions that were revoked, on whichever instance that was. The database is asked, so no hint can be lost. */
@Injectable()
export class Revocations implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private lookedAtMs = Date.now();
  private readonly failures: RepeatedLine;

  constructor(
    private readonly connections: Connections,
    private readonly store: SessionsStore,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failures = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'cannot look for revoked sessions');
    });
  }

  onApplicationBootstrap() {
    this.timer = setTimeout(() => void this.look(), lookEveryMs);
  }

  onModuleDestroy() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Ends a session everywhere: its tokens and its sockets here at once, its sockets elsewhere as soon as that instance looks. */
  async end(sessionId: string): Promise<void> {
    await this.store.revoke(sessionId);
    this.closeSockets(sessionId);
  }

  private closeSockets(sessionId: string) {
    this.connections.closeSession(sessionId, 'sessionRevoked');
  }

  private async look() {
    const startedAtMs = Date.now();
    try {
      const seconds = (startedAtMs - this.lookedAtMs) / 1_000 + overlapSeconds;
      if (this.connections.size > 0) {
        for (const sessionId of await this.store.revokedWithin(seconds)) this.closeSockets(sessionId);
      }
      this.lookedAtMs = startedAtMs;
    } catch (error) {
      this.failures.say(error);
    }
    if (this.timer !== undefined) this.timer = setTimeout(() => void this.look(), lookEveryMs);
  }
}
