import BTree from 'sorted-btree';
import { type Account } from './account';
import { type Authority } from './authority';
import { Comments } from './comments';
import { Delegations } from './delegations';
import { assertion } from '../errors';
import { Votes } from './votes';

/**
 * The state of the chain at one moment. Operations change a copy, which replaces the original if the whole transaction
 * succeeds. Copies are cheap: `with(…, true)` and `without` of a tree return a new one that shares the unchanged nodes.
 * To add a kind of data, add a member and copy it in `copy`.
 */
export class ChainState {
  private constructor(
    private accountsByName: BTree<string, Account>,
    private count: number,
    readonly delegations: Delegations,
    readonly comments: Comments,
    readonly votes: Votes,
  ) {}

  static empty(): ChainState {
    return new ChainState(new BTree(), 0, new Delegations(), new Comments(), new Votes());
  }

  copy(): ChainState {
    const { accountsByName, count, delegations, comments, votes } = this;
    return new ChainState(accountsByName, count, delegations.copy(), comments.copy(), votes.copy());
  }

  /** Accounts in the order of their creation. */
  get accounts(): readonly Account[] {
    return [...this.accountsByName.values()].sort((a, b) => a.id - b.id);
  }

  /** Returns accounts ordered by name, from `start` on. */
  accountsFrom(start: string): IterableIterator<Account> {
    return this.accountsByName.values(start);
  }

  get accountCount(): number {
    return this.count;
  }

  findAccount(name: string): Account | undefined {
    return this.accountsByName.get(name);
  }

  /** @throws NodeError */
  getAccount(name: string): Account {
    const account = this.findAccount(name);
    if (!account) throw assertion('find_account( name ) != nullptr', 'unknown account ${name}', { name });
    return account;
  }

  /** Adds an account, or replaces the one with its name. */
  putAccount(account: Account): void {
    if (!this.findAccount(account.name)) this.count += 1;
    this.accountsByName = this.accountsByName.with(account.name, account, true);
  }

  /** @throws NodeError if the authority names an account that does not exist. */
  checkAuthority(authority: Authority): void {
    for (const [account] of authority.account_auths) this.getAccount(account);
  }
}
