import { randomBytes } from 'node:crypto';
import { type RedisClient } from '@waggle/service/redis';

/** Which accounts are connected, at whichever instance. */
export interface PresenceRegister {
  /** @returns whether the account was connected nowhere before */
  enter(account: string): Promise<boolean>;
  /** @returns those of the accounts that are connected nowhere any more */
  leave(accounts: readonly string[]): Promise<string[]>;
  /**
   * Says again which accounts are connected here: an instance that dies does not say that they are not.
   * @returns those that were connected to instances that have died, and are connected nowhere now; each is returned once
   */
  refresh(accounts: readonly string[]): Promise<string[]>;
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

  refresh(accounts: readonly string[]): Promise<string[]> {
    const former = this.present;
    this.present = new Set(accounts);
    return Promise.resolve([...former].filter((account) => !this.present.has(account)));
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
    const key = this.keyOf(account);
    const [before] = await this.all([countPresent(key), ...this.noting(account)]);
    return before === 0;
  }

  /** What of one bucket cannot be said now lapses by itself, as if the instance had died. */
  async leave(accounts: readonly string[]): Promise<string[]> {
    return inAllBuckets(inBuckets(accounts).map((bucket) => this.leaveBucket(bucket)));
  }

  async refresh(accounts: readonly string[]): Promise<string[]> {
    await Promise.all(inBuckets(accounts).map((bucket) => this.all(bucket.flatMap((account) => this.noting(account)))));
    return inAllBuckets(Array.from({ length: bucketsCount }, (_none, bucket) => this.takeLapsed(bucket)));
  }

  /** Without those of buckets that cannot be read, unless that is so of all. */
  async among(accounts: readonly string[]): Promise<string[]> {
    return inAllBuckets(inBuckets(accounts).map((bucket) => this.amongBucket(bucket)));
  }

  private async leaveBucket(accounts: readonly string[]): Promise<string[]> {
    await this.all(accounts.map((account) => ['zrem', this.keyOf(account), this.instance]));
    const present = new Set(await this.amongBucket(accounts));
    const gone = accounts.filter((account) => !present.has(account));
    await this.all(gone.map((account) => ['zrem', this.untilKeyOf(bucketOf(account)), account]));
    return gone;
  }

  /** Those of a bucket who have lapsed: of several instances that find one, the one that takes it out tells of it. */
  private async takeLapsed(bucket: number): Promise<string[]> {
    const key = this.untilKeyOf(bucket);
    const lapsed = await this.redis.zrangebyscore(key, '-inf', Date.now(), 'LIMIT', 0, lapsedMost);
    const taken = await this.all(lapsed.map((account) => ['zrem', key, account]));
    const ours = lapsed.filter((_account, i) => taken[i] === 1);
    const present = new Set(await this.amongBucket(ours));
    return ours.filter((account) => !present.has(account));
  }

  private async amongBucket(accounts: readonly string[]): Promise<string[]> {
    const counts = await this.all(accounts.map((account) => countPresent(this.keyOf(account))));
    return accounts.filter((_account, i) => counts[i] !== 0);
  }

  private keyOf(account: string): string {
    return `${this.prefix}{${bucketOf(account)}}${account}`;
  }

  /** No account has a blank in its name, so this is no account's key. */
  private untilKeyOf(bucket: number): string {
    return `${this.prefix}{${bucket}} until`;
  }

  private noting(account: string): Command[] {
    const key = this.keyOf(account);
    const until = Date.now() + this.validMs;
    return [
      ['zadd', key, until, this.instance],
      ['pexpire', key, this.validMs],
      ['zadd', this.untilKeyOf(bucketOf(account)), until, account],
    ];
  }

  /** @param commands all of one bucket */
  private async all(commands: readonly Command[]): Promise<unknown[]> {
    if (commands.length === 0) return [];
    const results = (await this.redis.pipeline(commands.map((command) => command.map(String))).exec()) ?? [];
    return results.map(([error, result]) => {
      if (error !== null) throw error;
      return result;
    });
  }
}

/** What is found in all buckets, without those that cannot be asked, unless that is so of all. */
async function inAllBuckets(asked: readonly Promise<string[]>[]): Promise<string[]> {
  const answers = await Promise.allSettled(asked);
  const [failure] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer] : []));
  if (failure !== undefined && answers.every(({ status }) => status === 'rejected')) throw failure.reason;
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

type Command = readonly (string | number)[];

/** Counts the instances of an account. At the instant until which it was noted it is no longer there. */
function countPresent(key: string): Command {
  return ['zcount', key, `(${Date.now()}`, '+inf'];
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
