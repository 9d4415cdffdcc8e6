import { randomBytes } from 'node:crypto';
import { type Redis } from 'ioredis';

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

/** For each account a sorted set of the instances that it is connected to, each until an instant. */
export class PresenceInRedis implements PresenceRegister {
  private readonly instance = randomBytes(6).toString('base64url');

  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
  ) {}

  async enter(account: string): Promise<boolean> {
    const key = this.prefix + account;
    const [before] = await this.all([['zcount', key, Date.now(), '+inf'], ...this.noting(account)]);
    return before === 0;
  }

  async leave(account: string): Promise<boolean> {
    const key = this.prefix + account;
    const [, after] = await this.all([
      ['zrem', key, this.instance],
      ['zcount', key, Date.now(), '+inf'],
    ]);
    return after === 0;
  }

  async refresh(accounts: readonly string[]): Promise<void> {
    await this.all(accounts.flatMap((account) => this.noting(account)));
  }

  async among(accounts: readonly string[]): Promise<string[]> {
    const counts = await this.all(accounts.map((account) => ['zcount', this.prefix + account, Date.now(), '+inf']));
    return accounts.filter((_account, i) => counts[i] !== 0);
  }

  private noting(account: string): (string | number)[][] {
    const key = this.prefix + account;
    return [
      ['zadd', key, Date.now() + validMs, this.instance],
      ['pexpire', key, validMs],
    ];
  }

  private async all(commands: readonly (readonly (string | number)[])[]): Promise<unknown[]> {
    if (commands.length === 0) return [];
    const results = (await this.redis.pipeline(commands.map((command) => command.map(String))).exec()) ?? [];
    return results.map(([error, result]) => {
      if (error !== null) throw error;
      return result;
    });
  }
}
