import { LRUCache } from 'lru-cache';
import { findAccounts } from '../api/database-api';
import { type HiveApi } from '../api/hive-api';
import { SharedRequests } from './shared-requests';

/** The chain's own rule is narrower; this one rejects names that make a node respond with an error. */
const possibleName = /^[a-z0-9.-]{1,16}$/;

/** Whether an account may have this name. */
export function isPossibleName(name: string): boolean {
  return possibleName.test(name);
}

export interface ExistingAccountsOptions {
  /** Time that an existing account is cached, in milliseconds; default 60,000. */
  readonly ttlMs?: number;
  /** Time that a missing account is cached, in milliseconds; default 3,000, the time of a block. */
  readonly absentTtlMs?: number;
  /** Maximum of cached accounts, and of missing ones; default 20,000. */
  readonly maxAccounts?: number;
  /** The monotonic clock of the cache, in milliseconds. Only tests need another. */
  readonly now?: () => number;
}

/** Accounts per call, each of a few KB: together well below `maxAccountsBytes`. A node allows 1,000. */
const accountsPerCall = 100;

/**
 * Finds out which accounts exist, and caches it. One node decides, unlike for `AccountAuthorities`: by a lie it can
 * only invent or hide an account.
 */
export class ExistingAccounts {
  private readonly known: LRUCache<string, true>;
  /** Separate, so that a flood of invented names evicts no existing account. */
  private readonly absent: LRUCache<string, true>;
  private readonly requests = new SharedRequests(async (name) => (await this.request([name])).has(name));

  constructor(
    private readonly api: HiveApi,
    options: ExistingAccountsOptions = {},
  ) {
    const { ttlMs = 60_000, absentTtlMs = 3_000, maxAccounts: max = 20_000, now = () => performance.now() } = options;
    // With a resolution, the cache would start a timer.
    const clock = { ttlResolution: 0, perf: { now } };
    this.known = new LRUCache({ max, ttl: ttlMs, ...clock });
    this.absent = new LRUCache({ max, ttl: absentTtlMs, ...clock });
  }

  /**
   * Whether there is such an account. Concurrent callers share one call.
   *
   * @throws HiveNodesUnavailableError if no node responds and nothing is cached
   */
  async exists(name: string): Promise<boolean> {
    if (this.known.has(name)) return true;
    if (!isPossibleName(name) || this.absent.has(name)) return false;
    return this.requests.join(name);
  }

  /**
   * Returns the accounts that do not exist, with one call for each hundred that are not cached.
   *
   * @throws HiveNodesUnavailableError as `exists`
   */
  async findMissing(names: readonly string[]): Promise<string[]> {
    const [first] = names;
    if (first !== undefined && names.length === 1) return (await this.exists(first)) ? [] : [first];
    const uncached = names.filter((name) => !this.known.has(name));
    const requested = uncached.filter((name) => isPossibleName(name) && !this.absent.has(name));
    const calls = Array.from({ length: Math.ceil(requested.length / accountsPerCall) }, (_, call) =>
      this.request(requested.slice(call * accountsPerCall, (call + 1) * accountsPerCall)),
    );
    const existing = new Set((await Promise.all(calls)).flatMap((found) => [...found]));
    return uncached.filter((name) => !existing.has(name));
  }

  /** Looks up accounts, and caches the result. @returns those that exist */
  private async request(names: readonly string[]): Promise<Set<string>> {
    const existing = new Set((await findAccounts(this.api, names)).map(({ name }) => name));
    for (const name of names) {
      const [cache, other] = existing.has(name) ? [this.known, this.absent] : [this.absent, this.known];
      other.delete(name);
      cache.set(name, true);
    }
    return existing;
  }
}
