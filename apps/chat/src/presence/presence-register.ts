import { randomBytes } from 'node:crypto';
import { type RedisClient } from '@waggle/service/redis';

/** Records which accounts are online: connected to at least one instance. */
export interface PresenceRegister {
  /** Records that an account is connected to this instance. @returns whether it was offline before */
  enter(account: string): Promise<boolean>;
  /**
   * Records that accounts are no longer connected here. @returns those that are now offline, or whose state is unknown
   */
  leave(accounts: readonly string[]): Promise<string[]>;
  /**
   * Renews the records of the accounts that are connected here. Others expire, such as the records of an instance that
   * died.
   * @returns `online`: accounts that were recorded as offline, for example because this instance was suspended;
   * `offline`: accounts with expired records that are connected to no instance, each returned by one instance
   */
  refresh(accounts: readonly string[]): Promise<{ online: string[]; offline: string[] }>;
  /** Returns which of the accounts are online. */
  findOnline(accounts: readonly string[]): Promise<string[]>;
}

/** Injects the `PresenceRegister`. */
export const PRESENCE_REGISTER = Symbol('PresenceRegister');

/** The register of a single instance. */
export class PresenceInMemory implements PresenceRegister {
  private online = new Set<string>();

  enter(account: string): Promise<boolean> {
    const isNew = !this.online.has(account);
    this.online.add(account);
    return Promise.resolve(isNew);
  }

  leave(accounts: readonly string[]): Promise<string[]> {
    return Promise.resolve(accounts.filter((account) => this.online.delete(account)));
  }

  refresh(accounts: readonly string[]): Promise<{ online: string[]; offline: string[] }> {
    const before = this.online;
    this.online = new Set(accounts);
    return Promise.resolve({
      online: accounts.filter((account) => !before.has(account)),
      offline: [...before].filter((account) => !this.online.has(account)),
    });
  }

  findOnline(accounts: readonly string[]): Promise<string[]> {
    return Promise.resolve(accounts.filter((account) => this.online.has(account)));
  }
}

/** Interval at which an instance renews its records and removes expired ones, in milliseconds. */
export const refreshIntervalMs = 20_000;

/**
 * Time that a record is valid after its last renewal, in milliseconds: two renewals may be missed. If the instance
 * dies, another one finds the account at its next refresh, so friends see it offline within 65 + 20 s.
 */
const validityMs = 65_000;

/** Maximum number of expired accounts of a bucket that one refresh processes. */
const maxExpired = 1_000;

/**
 * Keys of a bucket share a hash tag, so they are on one master of a cluster and can be used in one command. This number
 * spreads them over the masters, and is small enough to query every bucket.
 */
const bucketsCount = 32;

/**
 * Lua for the time of Redis in milliseconds. By its own clock, an instance could take valid records of others for
 * expired.
 */
const now = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Lua for the number of instances that an account is connected to. A record is no longer valid at the time of its
 * expiry.
 */
const instances = (key: string) => `redis.call('zcount', ${key}, '(' .. now, '+inf')`;

/*
 * The keys of each script: the accounts of one bucket by expiry and, except for `expiredScript`, for each account its
 * instances by expiry.
 */

/**
 * Records that accounts are connected to an instance. Arguments: the instance, the validity (ms), the accounts. Returns
 * the accounts that were offline.
 */
const enterScript = `
  ${now}
  local expiry = now + ARGV[2]
  local online = {}
  for i = 2, #KEYS do
    local account = ARGV[i + 1]
    if ${instances('KEYS[i]')} == 0 then online[#online + 1] = account end
    redis.call('zadd', KEYS[i], expiry, ARGV[1])
    redis.call('pexpire', KEYS[i], ARGV[2])
    redis.call('zadd', KEYS[1], expiry, account)
  end
  return online`;

/**
 * Removes accounts that are connected to no instance. Arguments: an instance that they are no longer connected to, the
 * accounts. Returns the removed accounts, each account to only one of the concurrent callers.
 */
const leaveScript = `
  ${now}
  local offline = {}
  for i = 2, #KEYS do
    local account = ARGV[i]
    redis.call('zrem', KEYS[i], ARGV[1])
    if ${instances('KEYS[i]')} == 0 and redis.call('zrem', KEYS[1], account) == 1 then
      offline[#offline + 1] = account
    end
  end
  return offline`;
const noInstance = '';

/** Returns which of the accounts, its arguments, are connected to an instance. */
const onlineScript = `
  ${now}
  local online = {}
  for i = 2, #KEYS do
    if ${instances('KEYS[i]')} > 0 then online[#online + 1] = ARGV[i - 1] end
  end
  return online`;

/** Returns accounts of the bucket whose last record has expired. */
const expiredScript = `
  ${now}
  return redis.call('zrangebyscore', KEYS[1], '-inf', now, 'LIMIT', 0, ${maxExpired})`;

/**
 * The register of several instances: for each account a sorted set of its instances by expiry, and for each bucket a
 * sorted set of its accounts by the expiry that was written last, which `refresh` searches for expired accounts.
 * Expiries are times of Redis.
 */
export class PresenceInRedis implements PresenceRegister {
  private readonly instance = randomBytes(6).toString('base64url');

  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
    private readonly validMs = validityMs,
  ) {}

  async enter(account: string): Promise<boolean> {
    return (await this.record([account])).length > 0;
  }

  async leave(accounts: readonly string[]): Promise<string[]> {
    const left = splitByBucket(accounts).map((bucket) =>
      // It is unknown whether Redis executed it, so all are returned; callers check with `findOnline`. If it did not,
      // the records expire.
      this.remove(bucket, this.instance).catch(() => bucket),
    );
    return (await Promise.all(left)).flat();
  }

  async refresh(accounts: readonly string[]): Promise<{ online: string[]; offline: string[] }> {
    const online = await joinSuccessful(splitByBucket(accounts).map((bucket) => this.record(bucket)));
    const buckets = Array.from({ length: bucketsCount }, (_none, bucket) => bucket);
    return { online, offline: await joinSuccessful(buckets.map((bucket) => this.removeExpired(bucket))) };
  }

  /** Omits accounts of buckets that cannot be read. @throws if no bucket can be read */
  async findOnline(accounts: readonly string[]): Promise<string[]> {
    return joinSuccessful(splitByBucket(accounts).map((bucket) => this.run(onlineScript, bucket)));
  }

  private async removeExpired(bucket: number): Promise<string[]> {
    const expired = accountsIn(await this.redis.eval(expiredScript, 1, this.expiriesKey(bucket)));
    return expired.length === 0 ? [] : this.remove(expired, noInstance);
  }

  private record(accounts: readonly string[]): Promise<string[]> {
    return this.run(enterScript, accounts, [this.instance, this.validMs]);
  }

  private remove(accounts: readonly string[], instance: string): Promise<string[]> {
    return this.run(leaveScript, accounts, [instance]);
  }

  /** @param accounts at least one, all of one bucket */
  private async run(
    script: string,
    accounts: readonly string[],
    args: readonly (string | number)[] = [],
  ): Promise<string[]> {
    const [first = ''] = accounts;
    const keys = [this.expiriesKey(bucketOf(first)), ...accounts.map((account) => this.keyOf(account))];
    return accountsIn(await this.redis.eval(script, keys.length, ...keys, ...args, ...accounts));
  }

  private keyOf(account: string): string {
    return `${this.prefix}{${bucketOf(account)}}${account}`;
  }

  /** Account names contain no spaces, so this is not the key of an account. */
  private expiriesKey(bucket: number): string {
    return `${this.prefix}{${bucket}} until`;
  }
}

/** Joins the results of buckets, without those that failed. @throws if all failed */
async function joinSuccessful(reads: readonly Promise<string[]>[]): Promise<string[]> {
  const results = await Promise.allSettled(reads);
  const [failure] = results.flatMap((result) => (result.status === 'rejected' ? [result] : []));
  if (failure !== undefined && results.every(({ status }) => status === 'rejected')) throw failure.reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

function accountsIn(reply: unknown): string[] {
  if (!Array.isArray(reply)) throw new Error('the reply to a Redis script is not a list');
  return reply.map(String);
}

function splitByBucket(accounts: readonly string[]): string[][] {
  const buckets = new Map<number, string[]>();
  for (const account of accounts) {
    const number = bucketOf(account);
    const bucket = buckets.get(number);
    if (bucket === undefined) buckets.set(number, [account]);
    else bucket.push(account);
  }
  return [...buckets.values()];
}

function bucketOf(account: string): number {
  let hash = 0;
  for (const byte of Buffer.from(account)) hash = (hash * 31 + byte) % 65_536;
  return hash % bucketsCount;
}
