import { randomBytes } from 'node:crypto';
import { type RedisClient } from '@waggle/service';

/** Which accounts are connected, at whichever instance. */
export interface PresenceRegister {
  /** @returns whether the account was connected nowhere before */
  enter(account: string): Promise<boolean>;
  /** @returns whether the account is connected nowhere any more */
  leave(account: string): Promise<boolean>;
  /** Says again that the accounts are connected here: an instance that dies does not say that they are not. */
  refresh(accounts: readonly string[]): Promise<void>;
  /** Those of the accounts that are connected. */
  among(accounts: readonly string[]): Promise<string[]>;
}

/** Injects the `PresenceRegister`. */
export const PRESENCE_REGISTER = Symbol('PresenceRegister');

/** The register of an instance that is alone. */
export class PresenceInMemory implements PresenceRegister {
  private readonly present = new Set<string>();

  enter(account: string): Promise<boolean> {
    const isNew = !this.present.has(account);
    this.present.add(account);
    return Promise.resolve(isNew);
  }

  leave(account: string): Promise<boolean> {
    return Promise.resolve(this.present.delete(account));
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }

  among(accounts: readonly string[]): Promise<string[]> {
    return Promise.resolve(accounts.filter((account) => this.present.has(account)));
  }
}

/** Without a refresh an account is no longer taken to be connected to an instance after so long. */
const validMs = 90_000;

/**
 * Keys of one bucket share a hash tag: they lie on one master of a cluster, which can be asked for all of them at once.
 * So many are enough to spread them over the masters, and few enough to ask each for what is in it.
 */
const bucketsCount = 32;

/** For each account a sorted set of the instances that it is connected to, each until an instant. */
export class PresenceInRedis implements PresenceRegister {
  private readonly instance = randomBytes(6).toString('base64url');

  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  async enter(account: string): Promise<boolean> {
    const key = this.keyOf(account);
    const [before] = await this.all([['zcount', key, Date.now(), '+inf'], ...this.noting(account)]);
    return before === 0;
  }

  async leave(account: string): Promise<boolean> {
    const key = this.keyOf(account);
    const [, after] = await this.all([
      ['zrem', key, this.instance],
      ['zcount', key, Date.now(), '+inf'],
    ]);
    return after === 0;
  }

  async refresh(accounts: readonly string[]): Promise<void> {
    await Promise.all(inBuckets(accounts).map((bucket) => this.all(bucket.flatMap((account) => this.noting(account)))));
  }

  /** Without those of buckets that cannot be read, unless that is so of all. */
  async among(accounts: readonly string[]): Promise<string[]> {
    const looks = await Promise.allSettled(inBuckets(accounts).map((bucket) => this.amongBucket(bucket)));
    const [failure] = looks.flatMap((look) => (look.status === 'rejected' ? [look] : []));
    if (failure !== undefined && looks.every(({ status }) => status === 'rejected')) throw failure.reason;
    return looks.flatMap((look) => (look.status === 'fulfilled' ? look.value : []));
  }

  private async amongBucket(accounts: readonly string[]): Promise<string[]> {
    const counts = await this.all(accounts.map((account) => ['zcount', this.keyOf(account), Date.now(), '+inf']));
    return accounts.filter((_account, i) => counts[i] !== 0);
  }

  private keyOf(account: string): string {
    return `${this.prefix}{${bucketOf(account)}}${account}`;
  }

  private noting(account: string): Command[] {
    const key = this.keyOf(account);
    return [
      ['zadd', key, Date.now() + validMs, this.instance],
      ['pexpire', key, validMs],
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

type Command = readonly (string | number)[];

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
