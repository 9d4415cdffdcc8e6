import { setTimeout as pause } from 'node:timers/promises';
import { WriteCoalescer } from '@waggle/service';
import { type Redis } from 'ioredis';
import { Heartbeat } from '../heartbeat';

/** Maximum number of unconfirmed messages. Further ones are dropped, to limit memory. */
const maxPendingPublishes = 10_000;
/** Maximum number of unsent bytes, which limits memory if messages are long. */
const maxUnsentBytes = 16 * 1024 * 1024;

/** Maximum time that closing waits for pending messages, in milliseconds. */
const maxCloseMs = 500;

/** Publishes messages over a connection to one Redis master. Nothing is retried. */
export class RedisPublisher {
  private readonly heartbeat: Heartbeat;
  private readonly writes = new WriteCoalescer();
  private pendingPublishes = 0;
  private resolveClose: () => void = () => undefined;

  constructor(
    private readonly redis: Redis,
    private readonly reportError: (error: unknown) => void,
  ) {
    this.heartbeat = new Heartbeat(redis);
    redis.on('error', reportError);
  }

  /** Drops the text if there is no connection; drops it and reports an error if too much is pending. */
  publish(channel: string, text: string): void {
    if (this.redis.status !== 'ready') return;
    if (this.pendingPublishes >= maxPendingPublishes || this.redis.stream.writableLength > maxUnsentBytes) {
      this.reportError(new Error('Redis does not accept messages as fast as they are published'));
      return;
    }
    this.pendingPublishes += 1;
    // Joins the publishes of one event-loop turn into one socket write. ioredis' autopipelining would do so too, but
    // creates a pipeline object for each turn.
    this.writes.cork(this.redis.stream);
    this.redis.spublish(channel, text).then(this.onPublished, this.onPublishFailed);
  }

  /** Call every few seconds: pings Redis, and reconnects if it did not reply to the ping of the last call. */
  maintain(): void {
    this.heartbeat.beat();
  }

  /** Disconnects. Waits up to `maxCloseMs` for pending publishes. */
  async close(): Promise<void> {
    if (this.pendingPublishes > 0) {
      const allPublished = new Promise<void>((resolve) => {
        this.resolveClose = resolve;
      });
      await Promise.race([allPublished, pause(maxCloseMs, undefined, { ref: false })]);
    }
    this.redis.disconnect();
  }

  private readonly onPublished = () => {
    this.pendingPublishes -= 1;
    if (this.pendingPublishes === 0) this.resolveClose();
  };

  private readonly onPublishFailed = (error: unknown) => {
    this.onPublished();
    this.reportError(error);
  };
}
