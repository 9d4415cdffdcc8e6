import { randomBytes } from 'node:crypto';
import { type RedisClient } from '@waggle/service/redis';

/** Which accounts are connected, at whichever instance. */
export interface PresenceRegister {
  /** @returns whether the account was connected nowhere before */
  enter(account: string): Promise<boolean>;
  /** @returns those of the accounts that are connected nowhere any more, and those of which that could not be found out */
  leave(accounts: readonly string[]): Promise<string[]>;
  /**
   * Says again which accounts are connected here: an instance that dies does not say that they are not.
   * @returns `come`: those that were taken to be connected nowhere, as after a standstill of this instance; `gone`: those that were
   * connected to instances that have died, and are connected nowhere now, each returned once
   */
  refresh(accounts: readonly string[]): Promise<{ come: string[]; gone: string[] }>;
  /** Those of the accounts that are connected. */
  among(accounts: readonly string[]): Promise<string[]>;
}

/** Injects the `PresenceRegister`. */
export const PRESENCE_REGISTER = Symbol('PresenceRegister');

/** The register of an instance that is alone. */
export class PresenceInMemory implements PresenceRegister {
  private present = new Set<string>();

  enter(account: string): Promise<boolean> {
    const isNew = !this.present.has(account);
    this.present.add(account);
    return Promise.resolve(isNew);
  }

  leave(accounts: readonly string[]): Promise<string[]> {
    return Promise.resolve(accounts.filter((account) => this.present.delete(account)));
  }

  refresh(accounts: readonly string[]): Promise<{ come: string[]; gone: string[] }> {
    const former = this.present;
    this.present = new Set(accounts);
    return Promise.resolve({
      come: accounts.filter((account) => !former.has(account)),
      gone: [...former].filter((account) => !this.present.has(account)),
    });
  }

  among(accounts: readonly string[]): Promise<string[]> {
    return Promise.resolve(accounts.filter((account) => this.present.has(account)));
  }
}

/**
 * How often an instance says who is connected to it. Without that an account is no longer taken to be after so long: two may
 * be missed, and what an instance that has died has not said is known within 90 s.
 */
export const refreshEveryMs = 20_000;
const validityMs = 65_000;
/** So many accounts of a bucket are found at a time whose instance has died. */
const lapsedMost = 1_000;

/**
 * Keys of one bucket share a hash tag: they lie on one master of a cluster, which can be asked for all of them at once.
 * So many are enough to spread them over the masters, and few enough to ask each for what is in it.
 */
const bucketsCount = 32;

/**
 * Notes that accounts of one bucket are connected to an instance. Keys: until when each of the bucket is, and of each account its
 * instances; arguments: now, until when and for how long (ms), the instance, the accounts.
 * Returns those that were connected nowhere before.
 */
const noteScript = `
  local come = {}
  for i = 2, #KEYS do
    local account = ARGV[i + 3]
    if redis.call('zcount', KEYS[i], '(' .. ARGV[1], '+inf') == 0 then come[#come + 1] = account end
    redis.call('zadd', KEYS[i], ARGV[2], ARGV[4])
    redis.call('pexpire', KEYS[i], ARGV[3])
    redis.call('zadd', KEYS[1], ARGV[2], account)
  end
  return come`;

/**
 * Takes out those accounts of one bucket that are connected nowhere. Keys as above; arguments: now, an instance that they are not
 * connected to, the accounts. Returns whom it took out: of several instances that try, one is told.
 */
const takeOutScript = `
  local gone = {}
  for i = 2, #KEYS do
    local account = ARGV[i + 1]
    redis.call('zrem', KEYS[i], ARGV[2])
    if redis.call('zcount', KEYS[i], '(' .. ARGV[1], '+inf') == 0 and redis.call('zrem', KEYS[1], account) == 1 then
      gone[#gone + 1] = account
    end
  end
  return gone`;
const noInstance = '';

/**
 * For each account a sorted set of the instances that it is connected to, each until an instant; and for each bucket one of
 * its accounts, each until the last of these, by which those are found that nobody has said anything of.
 */
export class PresenceInRedis implements PresenceRegister {
  private readonly instance = randomBytes(6).toString('base64url');

  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
    private readonly validMs = validityMs,
  ) {}

  async enter(account: string): Promise<boolean> {
    return (await this.note([account])).length > 0;
  }

  async leave(accounts: readonly string[]): Promise<string[]> {
    const left = inBuckets(accounts).map((bucket) =>
      // Redis may have done it though its answer did not come. Where it has not, it lapses by itself, as if the instance had died.
      this.takeOut(bucket, this.instance).catch(() => bucket),
    );
    return (await Promise.all(left)).flat();
  }

  async refresh(accounts: readonly string[]): Promise<{ come: string[]; gone: string[] }> {
    const come = await inAllBuckets(inBuckets(accounts).map((bucket) => this.note(bucket)));
    const buckets = Array.from({ length: bucketsCount }, (_none, bucket) => bucket);
    return { come, gone: await inAllBuckets(buckets.map((bucket) => this.takeLapsed(bucket))) };
  }

  /** Without those of buckets that cannot be read, unless that is so of all. */
  async among(accounts: readonly string[]): Promise<string[]> {
    return inAllBuckets(inBuckets(accounts).map((bucket) => this.amongBucket(bucket)));
  }

  private async takeLapsed(bucket: number): Promise<string[]> {
    const lapsed = await this.redis.zrangebyscore(this.untilKeyOf(bucket), '-inf', Date.now(), 'LIMIT', 0, lapsedMost);
    return lapsed.length === 0 ? [] : this.takeOut(lapsed, noInstance);
  }

  private note(accounts: readonly string[]): Promise<string[]> {
    const until = Date.now() + this.validMs;
    return this.run(noteScript, accounts, [Date.now(), until, this.validMs, this.instance]);
  }

  private takeOut(accounts: readonly string[], instance: string): Promise<string[]> {
    return this.run(takeOutScript, accounts, [Date.now(), instance]);
  }

  private async amongBucket(accounts: readonly string[]): Promise<string[]> {
    const counts = this.redis.pipeline();
    // At the instant until which it was noted an instance is no longer there.
    for (const account of accounts) counts.zcount(this.keyOf(account), `(${Date.now()}`, '+inf');
    const results = (await counts.exec()) ?? [];
    return accounts.filter((_account, i) => {
      const [error, count] = results[i] ?? [];
      if (error) throw error;
      return count !== 0;
    });
  }

  /** @param accounts at least one, all of one bucket */
  private async run(
    script: string,
    accounts: readonly string[],
    args: readonly (string | number)[],
  ): Promise<string[]> {
    const [some = ''] = accounts;
    const keys = [this.untilKeyOf(bucketOf(some)), ...accounts.map((account) => this.keyOf(account))];
    return accountsIn(await this.redis.eval(script, keys.length, ...keys, ...args, ...accounts));
  }

  private keyOf(account: string): string {
    return `${this.prefix}{${bucketOf(account)}}${account}`;
  }

  /** No account has a blank in its name, so this is no account's key. */
  private untilKeyOf(bucket: number): string {
    return `${this.prefix}{${bucket}} until`;
  }
}

/** What is found in all buckets, without those that cannot be asked, unless that is so of all. */
async function inAllBuckets(asked: readonly Promise<string[]>[]): Promise<string[]> {
  const answers = await Promise.allSettled(asked);
  const [failure] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer] : []));
  if (failure !== undefined && answers.every(({ status }) => status === 'rejected')) throw failure.reason;
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

function accountsIn(answer: unknown): string[] {
  if (!Array.isArray(answer)) throw new Error('a script of Redis answered no list');
  return answer.map(String);
}

function inBuckets(accounts: readonly string[]): string[][] {
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
