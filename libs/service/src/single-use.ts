import { unavailable } from './errors';
import { type RedisClient } from './redis';

/** Remembers what may be used once, until it is worthless anyway. */
export interface SingleUse {
  /** Whether this is the first use of the key within `ttlMs`. Of claims made at the same moment exactly one is the first. */
  claim(key: string, ttlMs: number): Promise<boolean>;
  /** Gives a claim back: what it was for has failed, and not by its owner's fault. */
  release(key: string): Promise<void>;
}

/** For one instance: in the process. */
export class SingleUseInMemory implements SingleUse {
  private readonly expiryMs = new Map<string, number>();

  constructor(private readonly nowMs: () => number = Date.now) {}

  claim(key: string, ttlMs: number): Promise<boolean> {
    this.forgetExpired();
    if ((this.expiryMs.get(key) ?? -Infinity) > this.nowMs()) return Promise.resolve(false);
    this.expiryMs.delete(key);
    this.expiryMs.set(key, this.nowMs() + ttlMs);
    return Promise.resolve(true);
  }

  release(key: string): Promise<void> {
    this.expiryMs.delete(key);
    return Promise.resolve();
  }

  /**
   * Entries lie in the order of their claims. One that expires before another ahead of it waits for that one, so it is
   * kept no longer than the longest ttl.
   */
  private forgetExpired() {
    for (const [key, expiryMs] of this.expiryMs) {
      if (expiryMs > this.nowMs()) return;
      this.expiryMs.delete(key);
    }
  }
}

/** Shared by the instances of a service: in Redis, under the service's own prefix. */
export class SingleUseInRedis implements SingleUse {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  /** @throws ServiceError `unavailable` while Redis does not answer: nothing is let in unchecked. */
  async claim(key: string, ttlMs: number): Promise<boolean> {
    const answer = await this.answerOf(this.redis.set(this.prefix + key, '1', 'PX', Math.ceil(ttlMs), 'NX'));
    return answer === 'OK';
  }

  /** @throws ServiceError `unavailable` while Redis does not answer: the key stays claimed until it expires. */
  async release(key: string): Promise<void> {
    await this.answerOf(this.redis.del(this.prefix + key));
  }

  private async answerOf<Answer>(command: Promise<Answer>): Promise<Answer> {
    try {
      return await command;
    } catch (error) {
      throw unavailable('The store of used proofs', error);
    }
  }
}
