import { randomUUID } from 'node:crypto';
import { unavailable } from './errors/errors';
import { type RedisClient } from './redis/connection';

/** Remembers used keys, such as proofs, until they expire. */
export interface SingleUse {
  /** Whether this is the first use of the key within `ttlMs`. Of concurrent claims exactly one is the first. */
  claim(key: string, ttlMs: number): Promise<boolean>;
  /** Releases a claim whose use failed for a reason that is not the caller's. */
  release(key: string): Promise<void>;
}

/** Keeps the keys of a single instance in its process. */
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
   * Entries are in the order of their claims. One that expires before an earlier one is removed after that one, so at
   * the latest after the longest TTL.
   */
  private forgetExpired(): void {
    for (const [key, expiryMs] of this.expiryMs) {
      if (expiryMs > this.nowMs()) return;
      this.expiryMs.delete(key);
    }
  }
}

const store = 'The store of used proofs';

/** Shared by the instances of a service: in Redis, under the service's own prefix. */
export class SingleUseInRedis implements SingleUse {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  /** @throws ServiceError `unavailable` if Redis does not respond: nothing is accepted unchecked. */
  async claim(key: string, ttlMs: number): Promise<boolean> {
    const claim = randomUUID();
    const attempt = async (): Promise<boolean> => {
      const holder = await this.redis.set(this.prefix + key, claim, 'PX', Math.ceil(ttlMs), 'NX', 'GET');
      return holder === null || holder === claim;
    };
    try {
      return await attempt();
    } catch (error) {
      // If only the reply is late, the claim holds. A second attempt recognizes it, and it is released.
      void attempt()
        .then((isOurs) => (isOurs ? this.release(key) : undefined))
        .catch(() => undefined);
      throw unavailable(store, error);
    }
  }

  /** @throws ServiceError `unavailable` if Redis does not respond: the key stays claimed until it expires. */
  async release(key: string): Promise<void> {
    try {
      await this.redis.del(this.prefix + key);
    } catch (error) {
      throw unavailable(store, error);
    }
  }
}
