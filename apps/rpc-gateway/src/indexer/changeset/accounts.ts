import { type Queryable, sql } from '@waggle/service';
import { AccountEntity } from '../../accounts/account.entity';
import { type IndexState } from '../../index-state/index-state';
import { type AccountLookup } from '../../accounts/account-lookup';
import { type ReadSet } from './read-set';
import { Rows } from './rows';
import { Table } from './table';

const table = new Table(AccountEntity);
const findByNames = table.select('named', 'WHERE t.name = ANY ($1::text[])', { names: sql.arrayOf(table.types.name) });

export type Account = Readonly<AccountEntity>;

/** What the index lacks about the accounts of a batch. */
interface UnindexedAccounts {
  /** The creation times of the accounts that are older than the index and not indexed yet. */
  readonly older: ReadonlyMap<string, Date>;
  /** The reputations of accounts whose votes are not all indexed, as far as a node knows them. */
  readonly reputations: ReadonlyMap<string, bigint>;
}

/** The accounts of a batch. */
export class Accounts {
  private readonly rows = new Rows<Account>(table);
  private readonly ids = new Map<string, number>();

  private constructor(
    found: readonly Account[],
    private nextId: number,
    private readonly unindexed: UnindexedAccounts,
    private readonly isWholeChain: boolean,
  ) {
    this.rows.add(found);
    for (const { id, name } of found) this.ids.set(name, id);
  }

  static async load(client: Queryable, readSet: ReadSet, state: IndexState, lookup: AccountLookup): Promise<Accounts> {
    const isWholeChain = state.firstBlock === 1;
    const named = [...new Set([...readSet.accounts, ...readSet.mentionedAccounts])];
    const found = named.length === 0 ? [] : await findByNames(client, { names: named });
    const indexed = new Map(found.map((account) => [account.name, account]));
    // An index of the whole chain ignores mentions of accounts that are not indexed: see `findMentioned`.
    const unknown = (isWholeChain ? [...readSet.accounts] : named).filter((name) => !indexed.has(name));
    const older =
      unknown.length === 0 ? new Map<string, Date>() : await lookup.findCreatedBefore(unknown, state.begins);
    if (isWholeChain) return new Accounts(found, state.nextAccountId, { older, reputations: new Map() }, true);

    const lacksReputation = (name: string) => indexed.get(name)?.reputation === null || older.has(name);
    const reputations = await lookup.findReputations(readSet.scoredAccounts().filter(lacksReputation));
    const accounts = new Accounts(found, state.nextAccountId, { older, reputations }, false);
    for (const [name, reputation] of reputations) {
      const id = accounts.idOf(name);
      if (id !== undefined) accounts.change(id, () => ({ reputation }));
    }
    return accounts;
  }

  /** Reads accounts that no operation names: those on lists that an operation clears. */
  async loadByIds(client: Queryable, ids: readonly number[]): Promise<void> {
    const missing = [...new Set(ids)].flatMap((id) => (this.rows.find(id) === undefined ? [{ id }] : []));
    const found = await table.find(client, missing);
    this.rows.add(found);
    for (const { id, name } of found) this.ids.set(name, id);
  }

  /** The id for the next new account. */
  get nextAccountId(): number {
    return this.nextId;
  }

  /** Returns the id of an account; undefined if it is not indexed, in which case no other table refers to it. */
  idOf(name: string): number | undefined {
    return this.ids.get(name);
  }

  /** Finds an account, and adds it to the index if it is older. @returns undefined if it does not exist on the chain */
  find(name: string): Account | undefined {
    const id = this.ids.get(name);
    if (id !== undefined) return this.rows.find(id);
    return this.unindexed.older.has(name) ? this.put(name, this.initialReputation(name)) : undefined;
  }

  /**
   * Finds an account that a text mentions. Unlike `find`, it adds no account to an index of the whole chain: such an
   * index does not read the mentions of texts that expire before it catches up, and ids must not depend on these.
   */
  findMentioned(name: string): Account | undefined {
    return this.isWholeChain && !this.ids.has(name) ? undefined : this.find(name);
  }

  /** Returns the creation time of an account that is older than the index and was not indexed before this batch. */
  createdBeforeIndex(name: string): Date | undefined {
    return this.unindexed.older.get(name);
  }

  /** Returns an account; undefined if its row was not read. */
  findById(id: number): Account | undefined {
    return this.rows.find(id);
  }

  /** Adds a new account. @returns undefined if the name is taken or invalid */
  create(name: string): Account | undefined {
    return mayBeOnChain(name) && this.find(name) === undefined ? this.put(name, 0n) : undefined;
  }

  /** @param changes returns the columns to change, given the current row */
  change(id: number, changes: (now: Account) => Partial<Account>): void {
    const now = this.rows.find(id);
    if (now === undefined) throw new Error(`account ${id} was not read`);
    const changed = changes(now);
    const isSame = Object.entries(changed).every(([column, value]) => Reflect.get(now, column) === value);
    if (!isSame) this.rows.put({ ...now, ...changed });
  }

  write(client: Queryable): Promise<void> {
    return this.rows.write(client);
  }

  /** Null if the votes before the index count for the account, and no node knows its reputation. */
  private initialReputation(name: string): bigint | null {
    return this.isWholeChain ? 0n : (this.unindexed.reputations.get(name) ?? null);
  }

  private put(name: string, reputation: bigint | null): Account {
    const id = this.nextId;
    this.nextId += 1;
    this.ids.set(name, id);
    return this.rows.put({
      id,
      name,
      reputation,
      followers: 0,
      following: 0,
      lastRead: new Date(0),
      blacklistDescription: null,
      mutedListDescription: null,
      postingBlacklistDescription: null,
      postingMutedListDescription: null,
      hasPostingProfile: false,
    });
  }
}

/**
 * Matches names with all characters that account names on the chain have ever had. Other names are neither indexed nor
 * sent to nodes.
 */
const chainName = /^[a-z0-9.-]{1,16}$/;

export function mayBeOnChain(name: string): boolean {
  return chainName.test(name);
}
