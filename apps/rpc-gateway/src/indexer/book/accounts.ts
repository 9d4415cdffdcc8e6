import { type Queryable } from '@waggle/service';
import { mayBeOnChain } from '../../accounts/chain-name';
import { AccountEntity } from '../../accounts/account.entity';
import { type IndexState } from '../../index-state/index-state';
import { type ChainFacts } from '../chain-facts';
import { type Needs } from '../needs';
import { Rows } from './rows';
import { Table } from './table';

const table = new Table(AccountEntity);

export type Account = Readonly<AccountEntity>;

/** The accounts that a batch is about. */
export class Accounts {
  private readonly rows = new Rows<Account>(table);
  private readonly ids = new Map<string, number>();

  private constructor(
    found: readonly Account[],
    private nextId: number,
    /** Those that are on the chain without having been created in a block of the index, and since when. */
    private readonly older: ReadonlyMap<string, Date>,
    /** Of those whose votes the index does not know. */
    private readonly reputationOf: (name: string) => bigint | null,
  ) {
    this.rows.add(found);
    for (const { id, name } of found) this.ids.set(name, id);
  }

  static async open(client: Queryable, needs: Needs, state: IndexState, chain: ChainFacts): Promise<Accounts> {
    const named = [...needs.accounts];
    const found =
      named.length === 0 ? [] : await table.find(client, 'named', 'WHERE t.name = ANY ($1::text[])', [named]);
    const known = new Map(found.map((account) => [account.name, account]));
    const unknown = named.filter((name) => !known.has(name));
    const older = unknown.length === 0 ? new Map<string, Date>() : await chain.findOlder(unknown, state.begins);
    if (state.hasAllVotes) return new Accounts(found, state.nextAccountId, older, () => 0n);

    const isUnsure = (name: string) => known.get(name)?.reputation === null || older.has(name);
    const reputations = await chain.findReputations(needs.sources().filter(isUnsure));
    const accounts = new Accounts(found, state.nextAccountId, older, (name) => reputations.get(name) ?? null);
    for (const [name, reputation] of reputations) {
      const id = accounts.idOf(name);
      if (id !== undefined) accounts.change(id, () => ({ reputation }));
    }
    return accounts;
  }

  /** Those that are named by nobody but met on lists. */
  async load(client: Queryable, ids: readonly number[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => this.rows.find(id) === undefined);
    if (missing.length === 0) return;
    const found = await table.find(client, 'by-id', 'WHERE t.id = ANY ($1::int[])', [missing]);
    this.rows.add(found);
    for (const { id, name } of found) this.ids.set(name, id);
  }

  /** The id that the next new account would get. */
  get nextAccountId(): number {
    return this.nextId;
  }

  /** Undefined where the index has not met it: it then has nothing in other tables. */
  idOf(name: string): number | undefined {
    return this.ids.get(name);
  }

  /** Undefined where there is no such account on the chain. One that the index meets for the first time gets its row. */
  find(name: string): Account | undefined {
    const id = this.ids.get(name);
    if (id !== undefined) return this.rows.find(id);
    return this.older.has(name) ? this.put(name, this.reputationOf(name)) : undefined;
  }

  /** When one was created that no block of the index has created. */
  createdBefore(name: string): Date | undefined {
    return this.older.get(name);
  }

  /** Undefined where its row was not read. */
  findById(id: number): Account | undefined {
    return this.rows.find(id);
  }

  /** @returns the new account; undefined where there is one of that name, or can be none */
  create(name: string): Account | undefined {
    return mayBeOnChain(name) && this.find(name) === undefined ? this.put(name, 0n) : undefined;
  }

  /** @param changes what the account, as it is now, becomes */
  change(id: number, changes: (now: Account) => Partial<Account>): void {
    const now = this.rows.find(id);
    if (now === undefined) throw new Error(`account ${id} was not read`);
    this.rows.put({ ...now, ...changes(now) });
  }

  write(client: Queryable): Promise<void> {
    return this.rows.write(client);
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
      hasPostingProfile: false,
    });
  }
}
