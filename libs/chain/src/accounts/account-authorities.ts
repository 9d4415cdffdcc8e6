import { type Authority, parsePublicKey } from '@waggle/signatures';
import { LRUCache } from 'lru-cache';
import { type HiveAccount, type HiveAuthority } from '../api/account';
import { findAccounts } from '../api/database-api';
import { type HiveApi } from '../api/hive-api';
import { SharedRequests } from './shared-requests';

/** The roles in which an account may sign. */
export type Role = 'posting' | 'active' | 'owner';

/** The authorities of one account, with its keys as bytes. */
export type Authorities = Readonly<Record<Role, Authority>>;

export interface AccountAuthoritiesOptions {
  /** How long an account is cached, in milliseconds; default 60,000. A caller may require a newer one. */
  readonly ttlMs?: number;
  /** How long a missing account is cached; default 3,000, the time of a block. */
  readonly absentTtlMs?: number;
  /** Maximum of cached accounts, and of missing ones; default 20,000. An account is about 1 KB. */
  readonly maxAccounts?: number;
  /** The monotonic clock of the cache, in milliseconds. Only tests need another. */
  readonly now?: () => number;
}

/**
 * Matches every valid name. The chain's own rule is narrower; this one rejects names to which a node responds with an error.
 */
const possibleName = /^[a-z0-9.-]{1,16}$/;

/** Accounts per call, each of a few KB: together well below `maxAccountsBytes`. A node allows 1,000. */
const accountsPerCall = 100;

/**
 * Longest response to a call of `AccountAuthorities`, in bytes: a client holds as many responses as it has connections, so that with
 * the default limit one node could exhaust the memory of a service.
 */
export const maxAccountsBytes = 2 * 1024 * 1024;

/** What a node returned for one account. */
interface Reading {
  /** Undefined if there is no such account. */
  readonly authorities: Authorities | undefined;
  /** When the request was sent, by the clock of the cache: the authorities are at least as new. */
  readonly requestedAtMs: number;
}

/** Reads the authorities of accounts from Hive nodes, and caches them. `AccountSignatures` decides which of their keys count. */
export class AccountAuthorities {
  private readonly now: () => number;
  private readonly known: LRUCache<string, Reading>;
  /** Separate, so that a flood of invented names evicts no existing account. */
  private readonly absent: LRUCache<string, true>;
  private readonly requests = new SharedRequests((account) => this.request(account));

  constructor(
    private readonly api: HiveApi,
    options: AccountAuthoritiesOptions = {},
  ) {
    const { ttlMs = 60_000, absentTtlMs = 3_000, maxAccounts: max = 20_000 } = options;
    this.now = options.now ?? (() => performance.now());
    // With a resolution, the cache would start a timer.
    const clock = { ttlResolution: 0, perf: { now: this.now } };
    this.known = new LRUCache({ max, ttl: ttlMs, ...clock });
    this.absent = new LRUCache({ max, ttl: absentTtlMs, ...clock });
  }

  /**
   * Returns the authorities of an account, or undefined if there is no such account. Leaves out malformed keys and the null key.
   *
   * @param options `maxAgeMs`: how old the authorities may be, in milliseconds; default: as old as the cache allows. With 0
   * they are read from a node, by a request that begins after this call
   * @throws HiveNodesUnavailableError if no node responds and the cache has no authorities that are new enough
   */
  async find(
    account: string,
    { maxAgeMs = Infinity }: { readonly maxAgeMs?: number } = {},
  ): Promise<Authorities | undefined> {
    if (!possibleName.test(account)) return undefined;
    if (maxAgeMs === 0) return (await this.requests.begin(account)).authorities;
    const oldestMs = this.now() - maxAgeMs;
    const known = this.known.get(account);
    if (known !== undefined && known.requestedAtMs >= oldestMs) return known.authorities;
    if (this.absent.has(account)) return undefined;
    const reading = await this.requests.join(account);
    if (reading.requestedAtMs >= oldestMs) return reading.authorities;
    // That request was sent long before this call, to nodes that hang. All callers that waited for it share the next one.
    return (await this.requests.join(account)).authorities;
  }

  /**
   * Whether there is such an account.
   *
   * @throws HiveNodesUnavailableError if no node responds and nothing is cached
   */
  async exists(account: string): Promise<boolean> {
    return (await this.find(account)) !== undefined;
  }

  /**
   * Returns the accounts that do not exist, with one call for each hundred that are not cached.
   *
   * @throws HiveNodesUnavailableError as `find`
   */
  async findMissing(accounts: readonly string[]): Promise<string[]> {
    const uncached = accounts.filter((name) => !this.known.has(name));
    const existing = await this.findExisting(
      uncached.filter((name) => possibleName.test(name) && !this.absent.has(name)),
    );
    return uncached.filter((name) => !existing.has(name));
  }

  private async findExisting(names: readonly string[]): Promise<Set<string>> {
    const [first] = names;
    if (first === undefined) return new Set();
    if (names.length === 1) return new Set((await this.requests.join(first)).authorities === undefined ? [] : [first]);
    const requestedAtMs = this.now();
    const starts = Array.from(
      { length: Math.ceil(names.length / accountsPerCall) },
      (_, call) => call * accountsPerCall,
    );
    const found = await Promise.all(
      starts.map((start) => findAccounts(this.api, names.slice(start, start + accountsPerCall))),
    );
    const accounts = new Map(found.flat().map((account) => [account.name, account]));
    for (const name of names) this.store(name, accounts.get(name), requestedAtMs);
    return new Set(accounts.keys());
  }

  private async request(name: string): Promise<Reading> {
    const requestedAtMs = this.now();
    const accounts = await findAccounts(this.api, [name]);
    return this.store(
      name,
      accounts.find((candidate) => candidate.name === name),
      requestedAtMs,
    );
  }

  private store(name: string, account: HiveAccount | undefined, requestedAtMs: number): Reading {
    if (account === undefined) {
      this.known.delete(name);
      this.absent.set(name, true);
      return { authorities: undefined, requestedAtMs };
    }
    const authorities: Authorities = {
      posting: decode(account.posting),
      active: decode(account.active),
      owner: decode(account.owner),
    };
    const reading = { authorities, requestedAtMs };
    this.absent.delete(name);
    this.known.set(name, reading);
    return reading;
  }
}

function decode(authority: HiveAuthority): Authority {
  return {
    weightThreshold: authority.weight_threshold,
    keyAuths: authority.key_auths.flatMap(([text, weight]) => {
      const key = parsePublicKey(text);
      return key === undefined ? [] : [{ key, weight }];
    }),
    accountAuths: authority.account_auths.map(([account, weight]) => ({ account, weight })),
  };
}
