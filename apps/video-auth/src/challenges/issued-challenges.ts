import { unavailable } from '@waggle/service';
import { type RedisClient } from '@waggle/service/redis';

/** Remembers which challenges were issued, and which of them are used, until they expire. */
export interface IssuedChallenges {
  /** Remembers a challenge for `ttlMs`. */
  issue(key: string, ttlMs: number): Promise<void>;
  /** Whether it was issued and is not expired. It may be taken. */
  isIssued(key: string): Promise<boolean>;
  /**
   * Takes a challenge. Of concurrent calls exactly one succeeds. @returns whether it was issued, is not expired and was
   * not taken yet
   */
  take(key: string): Promise<boolean>;
  /** Lets a challenge be taken again until it expires. Call it only after your own `take` returned true or threw. */
  release(key: string): Promise<void>;
}

/** Keeps the challenges of a single instance in its process. */
export class IssuedChallengesInMemory implements IssuedChallenges {
  private readonly challenges = new Map<string, { expiryMs: number; isTaken: boolean }>();

  constructor(private readonly nowMs: () => number = Date.now) {}

  issue(key: string, ttlMs: number): Promise<void> {
    this.forgetExpired();
    this.challenges.set(key, { expiryMs: this.nowMs() + ttlMs, isTaken: false });
    return Promise.resolve();
  }

  isIssued(key: string): Promise<boolean> {
    return Promise.resolve((this.challenges.get(key)?.expiryMs ?? -Infinity) > this.nowMs());
  }

  take(key: string): Promise<boolean> {
    const challenge = this.challenges.get(key);
    if (challenge === undefined || challenge.isTaken || challenge.expiryMs <= this.nowMs()) {
      return Promise.resolve(false);
    }
    challenge.isTaken = true;
    return Promise.resolve(true);
  }

  release(key: string): Promise<void> {
    const challenge = this.challenges.get(key);
    if (challenge !== undefined) challenge.isTaken = false;
    return Promise.resolve();
  }

  /** Deletes expired challenges. All have the same lifetime, so the oldest come first. */
  private forgetExpired(): void {
    for (const [key, { expiryMs }] of this.challenges) {
      if (expiryMs > this.nowMs()) return;
      this.challenges.delete(key);
    }
  }
}

/** The value of a challenge that can be taken. */
const issued = '1';
/** The value of a challenge that was taken. */
const taken = '0';

/** Shared by the instances: in Redis, under the service's own prefix. */
export class IssuedChallengesInRedis implements IssuedChallenges {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  /** @throws ServiceError `unavailable` if Redis does not respond */
  async issue(key: string, ttlMs: number): Promise<void> {
    await this.responseOf(this.redis.set(this.prefix + key, issued, 'PX', Math.ceil(ttlMs)));
  }

  /** @throws ServiceError `unavailable` if Redis does not respond */
  async isIssued(key: string): Promise<boolean> {
    return (await this.responseOf(this.redis.exists(this.prefix + key))) === 1;
  }

  /** @throws ServiceError `unavailable` if Redis does not respond: nothing is accepted unchecked. */
  async take(key: string): Promise<boolean> {
    const previous = await this.responseOf(this.redis.set(this.prefix + key, taken, 'KEEPTTL', 'XX', 'GET'));
    return previous === issued;
  }

  /** @throws ServiceError `unavailable` if Redis does not respond */
  async release(key: string): Promise<void> {
    // If the reply of `take` is late, Redis still executes the two in order. `XX` does not create an expired challenge.
    await this.responseOf(this.redis.set(this.prefix + key, issued, 'KEEPTTL', 'XX'));
  }

  private async responseOf<Response>(command: Promise<Response>): Promise<Response> {
    try {
      return await command;
    } catch (error) {
      throw unavailable('The store of challenges', error);
    }
  }
}
