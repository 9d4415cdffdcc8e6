import { type Authority, parsePublicKey } from '@waggle/signatures';
import { LRUCache } from 'lru-cache';
import { findAgreedAccount, type HiveAccount, type HiveAuthority } from '../api/database-api';
import { type ComparedNodes } from '../api/hive-api';
import { isPossibleName } from './existing-accounts';
import { SharedRequests } from './shared-requests';

/** The roles that may sign for an account. */
export type Role = 'posting' | 'active' | 'owner';

/** The authorities of one account, with its keys as bytes. */
export type Authorities = Readonly<Record<Role, Authority>>;

export interface AccountAuthoritiesOptions {
  /** Maximum of cached accounts, and of missing ones; default 20,000. An account is about 1 KB. */
  readonly maxAccounts?: number;
  /** The monotonic clock, in milliseconds. Only tests need another. */
  readonly now?: () => number;
}

/**
 * Longest response to a call for accounts, in bytes: a client holds as many responses as it has connections, so that
 * with the default limit one node could exhaust the memory of a service.
 */
export const maxAccountsBytes = 2 * 1024 * 1024;

/** What the nodes returned for one account. */
interface Reading {
  /** The authorities of the account; undefined if there is no such account. */
  readonly authorities: Authorities | undefined;
  /** The time when the request was sent. The authorities are at least as new. */
  readonly requestedAtMs: number;
}

/**
 * Reads the authorities of accounts from Hive nodes, and caches them. A majority of the nodes has to return the same
 * ones, since a node that lies could otherwise log anyone in. `AccountSignatures` decides which of their keys count.
 */
export class AccountAuthorities {
  /** The time by the clock, in milliseconds. */
  readonly now: () => number;
  private readonly known: LRUCache<string, Reading>;
  /** Separate, so that a flood of invented names evicts no existing account. */
  private readonly absent: LRUCache<string, Reading>;
  private readonly requests = new SharedRequests((account) => this.request(account));

  constructor(
    private readonly api: ComparedNodes,
    options: AccountAuthoritiesOptions = {},
  ) {
    const { maxAccounts: max = 20_000 } = options;
    this.now = options.now ?? (() => performance.now());
    this.known = new LRUCache({ max });
    this.absent = new LRUCache({ max });
  }

  /**
   * Returns the authorities of an account, or undefined if there is no such account. Leaves out malformed keys and the
   * null key.
   *
   * @param sinceMs the request that returned them was sent at this time, by `now`, or later
   * @throws HiveNodesUnavailableError if the cache has none that are new enough, and no majority of the nodes returns
   * the same ones
   */
  async find(account: string, sinceMs: number): Promise<Authorities | undefined> {
    if (!isPossibleName(account)) return undefined;
    const cached = this.known.get(account) ?? this.absent.get(account);
    if (cached !== undefined && cached.requestedAtMs >= sinceMs) return cached.authorities;
    const reading = await this.requests.join(account);
    if (reading.requestedAtMs >= sinceMs) return reading.authorities;
    // That request was sent before. All callers that waited for it share the next one.
    return (await this.requests.join(account)).authorities;
  }

  private async request(name: string): Promise<Reading> {
    const requestedAtMs = this.now();
    const account = await findAgreedAccount(this.api, name);
    const reading = { authorities: account && authoritiesOf(account), requestedAtMs };
    const [cache, other] = account === undefined ? [this.absent, this.known] : [this.known, this.absent];
    other.delete(name);
    cache.set(name, reading);
    return reading;
  }
}

function authoritiesOf({ posting, active, owner }: HiveAccount): Authorities {
  return { posting: decode(posting), active: decode(active), owner: decode(owner) };
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
