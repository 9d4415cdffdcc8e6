import { type Redis } from 'ioredis';

/**
 * Pings Redis, and reconnects if there is no reply by the next beat. ioredis then rejects the pending commands. Without
 * this, a server that hangs or a network that drops all packets is noticed only after many minutes.
 */
export class Heartbeat {
  private isPongPending = false;

  constructor(private readonly redis: Redis) {
    for (const event of ['connect', 'ready']) {
      redis.on(event, () => {
        this.isPongPending = false;
      });
    }
  }

  beat(): void {
    const { status } = this.redis;
    // Otherwise ioredis is connecting, with time limits of its own.
    if (status !== 'connect' && status !== 'ready') return;
    if (this.isPongPending) {
      this.redis.disconnect(true);
      return;
    }
    this.isPongPending = true;
    this.redis.ping().then(
      () => {
        this.isPongPending = false;
      },
      () => undefined, // Not ready, or closed: checked at the next beat.
    );
  }
}
