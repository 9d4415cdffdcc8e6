import { type Authority, parsePublicKey } from '@waggle/signatures';
import { LRUCache } from 'lru-cache';
import { type HiveAccount, type HiveAuthority } from '../api/account';
import { findAccounts } from '../api/database-api';
import { type HiveApi } from '../node/hive-api';
import { SharedRequests } from './shared-requests';

/** The levels at which an account may sign. */
export type Role = 'posting' | 'active' | 'owner';

/** The authorities of one account, with its keys as bytes. */
export type Authorities = Readonly<Record<Role, Authority>>;

export interface AccountAuthoritiesOptions {
  /** How long an answer of a node is cached, in milliseconds; default 60,000. A caller may ask for a newer one. */
  readonly ttlMs?: number;
  /** How long an account that does not exist is taken not to; default 3,000, the time of a block. */
  readonly absentTtlMs?: number;
  /** Accounts remembered at the most, and as many that do not exist; default 20,000. An account is about 1 KB. */
  readonly maxAccounts?: number;
  /** The clock of the cache: milliseconds that never go back. Only tests need another. */
  readonly now?: () => number;
}

/**
 * What can be a name at all. The chain's own rule is narrower; this one only keeps away what a node would answer with an
 * error.
 */
const possibleName = /^[a-z0-9.-]{1,16}$/;

/** The answer of a node about one account. */
interface Reading {
  /** Undefined if there is no such account. */
  readonly authorities: Authorities | undefined;
  /** When the request was sent, by the clock of the cache: the answer is at least as new. */
  readonly requestedAtMs: number;
}

/** The authorities of accounts, as a Hive node tells them, remembered for a while. */
export class AccountAuthorities {
  private readonly now: () => number;
  private readonly known: LRUCache<string, Reading>;
  /** Apart from the known ones, so that a flood of invented names displaces none of them. */
  private readonly absent: LRUCache<string, true>;
  private readonly requests = new SharedRequests((account) => this.request(account));

  constructor(
    private readonly api: HiveApi,
    options: AccountAuthoritiesOptions = {},
  ) {
    const { ttlMs = 60_000, absentTtlMs = 3_000, maxAccounts: max = 20_000 } = options;
    this.now = options.now ?? (() => performance.now());
    // No resolution: it would be kept by a timer.
    const clock = { ttlResolution: 0, perf: { now: this.now } };
    this.known = new LRUCache({ max, ttl: ttlMs, ...clock });
    this.absent = new LRUCache({ max, ttl: absentTtlMs, ...clock });
  }

  /**
   * The authorities of an account, or undefined if there is no such account. Keys that are malformed, or given up (the
   * null key), are left out.
   *
   * @param options `maxAgeMs`: how old the answer of a node may be, in milliseconds; by default as old as the cache keeps it.
   * With 0 a node is asked after this call
   * @throws HiveNodesUnavailableError if no node answers and the cache has no answer that is new enough
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
    // It was sent long before this call, to nodes that hang. All who waited with us share the next one.
    return (await this.requests.join(account)).authorities;
  }

  /**
   * Whether there is such an account.
   *
   * @throws HiveNodesUnavailableError if no node answers and nothing is remembered
   */
  async exists(account: string): Promise<boolean> {
    return (await this.find(account)) !== undefined;
  }

  /**
   * Those of the accounts that do not exist, in one call for all of which nothing is remembered.
   *
   * @throws HiveNodesUnavailableError as `find`
   */
  async findMissing(accounts: readonly string[]): Promise<string[]> {
    const questionable = accounts.filter((name) => !this.known.has(name));
    const existing = await this.ask(questionable.filter((name) => possibleName.test(name) && !this.absent.has(name)));
    return questionable.filter((name) => !existing.has(name));
  }

  private async ask(names: readonly string[]): Promise<Set<string>> {
    const [first] = names;
    if (first === undefined) return new Set();
    if (names.length === 1) return new Set((await this.requests.join(first)).authorities === undefined ? [] : [first]);
    const requestedAtMs = this.now();
    const accounts = new Map((await findAccounts(this.api, names)).map((account) => [account.name, account]));
    for (const name of names) this.remember(name, accounts.get(name), requestedAtMs);
    return new Set(accounts.keys());
  }

  private async request(name: string): Promise<Reading> {
    const requestedAtMs = this.now();
    const accounts = await findAccounts(this.api, [name]);
    return this.remember(
      name,
      accounts.find((candidate) => candidate.name === name),
      requestedAtMs,
    );
  }

  private remember(name: string, account: HiveAccount | undefined, requestedAtMs: number): Reading {
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
