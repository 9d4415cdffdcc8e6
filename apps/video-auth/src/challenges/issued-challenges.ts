import { unavailable } from '@waggle/service';
import { type RedisClient } from '@waggle/service/redis';

/** Remembers which challenges were issued, until they expire or are used. */
export interface IssuedChallenges {
  issue(key: string, ttlMs: number): Promise<void>;
  /** Whether it was issued and not taken yet. Of concurrent calls exactly one succeeds. */
  take(key: string): Promise<boolean>;
}

/** For one instance: in the process. */
export class IssuedChallengesInMemory implements IssuedChallenges {
  private readonly expiryMs = new Map<string, number>();

  constructor(private readonly nowMs: () => number = Date.now) {}

  issue(key: string, ttlMs: number): Promise<void> {
    this.forgetExpired();
    this.expiryMs.set(key, this.nowMs() + ttlMs);
    return Promise.resolve();
  }

  take(key: string): Promise<boolean> {
    const isGood = (this.expiryMs.get(key) ?? -Infinity) > this.nowMs();
    this.expiryMs.delete(key);
    return Promise.resolve(isGood);
  }

  /** All have the same lifetime, so the oldest come first. */
  private forgetExpired() {
    for (const [key, expiryMs] of this.expiryMs) {
      if (expiryMs > this.nowMs()) return;
      this.expiryMs.delete(key);
    }
  }
}

/** Shared by the instances: in Redis, under the service's own prefix. */
export class IssuedChallengesInRedis implements IssuedChallenges {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  /** @throws ServiceError `unavailable` if Redis does not respond */
  async issue(key: string, ttlMs: number): Promise<void> {
    await this.responseOf(this.redis.set(this.prefix + key, '1', 'PX', Math.ceil(ttlMs)));
  }

  /** @throws ServiceError `unavailable` if Redis does not respond: nothing is accepted unchecked. */
  async take(key: string): Promise<boolean> {
    return (await this.responseOf(this.redis.del(this.prefix + key))) === 1;
  }

  private async responseOf<Response>(command: Promise<Response>): Promise<Response> {
    try {
      return await command;
    } catch (error) {
      throw unavailable('The store of challenges', error);
    }
  }
}
