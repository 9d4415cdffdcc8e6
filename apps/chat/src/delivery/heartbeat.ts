import { type Redis } from 'ioredis';

/**
 * Ends a connection over which nothing comes back from one beat to the next: ioredis makes a new one, and lets go of all
 * that waits for an answer. Else a server that hangs, or a network that swallows everything, is noticed after many minutes.
 */
export class Heartbeat {
  private isAwaited = false;

  constructor(private readonly redis: Redis) {
    for (const event of ['connect', 'ready']) {
      redis.on(event, () => {
        this.isAwaited = false;
      });
    }
  }

  beat() {
    const { status } = this.redis;
    // Else it is being made, or about to be made again, which has time limits of its own.
    if (status !== 'connect' && status !== 'ready') return;
    if (this.isAwaited) {
      this.redis.disconnect(true);
      return;
    }
    this.isAwaited = true;
    this.redis.ping().then(
      () => {
        this.isAwaited = false;
      },
      () => undefined, // Not ready yet, or ended: judged at the next beat.
    );
  }
}
