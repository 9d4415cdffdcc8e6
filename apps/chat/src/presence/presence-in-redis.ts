import { randomBytes } from 'node:crypto';
import { type RedisClient } from '@waggle/service/redis';
import { groupBy } from '../portions';
import { type PresenceRegister } from './presence-register';

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
 * Lua that declares `now`, the time of Redis in milliseconds. By its own clock, an instance could take valid records of
 * others for expired.
 */
const declareNow = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Lua for the number of instances that an account is connected to, after `declareNow`. A record is no longer valid at
 * the time of its expiry.
 */
const countInstances = (key: string) => `redis.call('zcount', ${key}, '(' .. now, '+inf')`;

/*
 * The first key of each script is the sorted set of a bucket, with its accounts by expiry. The others are the sorted
 * sets of accounts of this bucket, each with the instances of the account by expiry; `expiredScript` has none.
 */

/**
 * Records that accounts are connected to an instance. Arguments: the instance, the validity (ms), the accounts. Returns
 * the accounts that were offline.
 */
const enterScript = `
  ${declareNow}
  local expiry = now + ARGV[2]
  local cameOnline = {}
  for i = 2, #KEYS do
    local account = ARGV[i + 1]
    if ${countInstances('KEYS[i]')} == 0 then cameOnline[#cameOnline + 1] = account end
    redis.call('zadd', KEYS[i], expiry, ARGV[1])
    redis.call('pexpire', KEYS[i], ARGV[2])
    redis.call('zadd', KEYS[1], expiry, account)
  end
  return cameOnline`;

/**
 * Removes accounts that are connected to no instance. Arguments: an instance that they are no longer connected to, the
 * accounts. Returns the removed accounts, each account to only one of the concurrent callers.
 */
const leaveScript = `
  ${declareNow}
  local offline = {}
  for i = 2, #KEYS do
    local account = ARGV[i]
    redis.call('zrem', KEYS[i], ARGV[1])
    if ${countInstances('KEYS[i]')} == 0 and redis.call('zrem', KEYS[1], account) == 1 then
      offline[#offline + 1] = account
    end
  end
  return offline`;

/** An instance argument of `leaveScript` that equals no instance. */
const noInstance = '';

/** Returns which of the accounts, its arguments, are connected to an instance. */
const onlineScript = `
  ${declareNow}
  local online = {}
  for i = 2, #KEYS do
    if ${countInstances('KEYS[i]')} > 0 then online[#online + 1] = ARGV[i - 1] end
  end
  return online`;

/** Returns accounts of the bucket whose last record has expired. */
const expiredScript = `
  ${declareNow}
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
  const successful = results.filter((result) => result.status === 'fulfilled');
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined && successful.length === 0) throw failure.reason;
  return successful.flatMap(({ value }) => value);
}

/** Returns the accounts in the reply to a script. */
function accountsIn(reply: unknown): string[] {
  if (!Array.isArray(reply)) throw new Error('the reply to a Redis script is not a list');
  return reply.map(String);
}

function splitByBucket(accounts: readonly string[]): string[][] {
  return [...groupBy(accounts, bucketOf).values()];
}

function bucketOf(account: string): number {
  let hash = 0;
  for (const byte of Buffer.from(account)) hash = (hash * 31 + byte) % 65_536;
  return hash % bucketsCount;
}
