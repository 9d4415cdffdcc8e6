import { type Account } from './account';
import { type Authority } from './authority';
import { assertion } from './errors';

/**
 * What the chain knows at one moment. Operations change a copy, which takes the place of the original when the whole
 * transaction went well. A new kind of thing (delegations, comments) is one more map here, copied in `copy`.
 */
export class ChainState {
  private constructor(private readonly accountsByName: Map<string, Account>) {}

  static empty(): ChainState {
    return new ChainState(new Map());
  }

  copy(): ChainState {
    return new ChainState(new Map(this.accountsByName));
  }

  /** Accounts in the order of their creation. */
  get accounts(): readonly Account[] {
    return [...this.accountsByName.values()];
  }

  get accountCount(): number {
    return this.accountsByName.size;
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

  /** Stores a new account, or what has become of a known one. */
  putAccount(account: Account): void {
    this.accountsByName.set(account.name, account);
  }

  /** An authority may name only accounts that exist. */
  checkAuthority(authority: Authority): void {
    for (const [account] of authority.account_auths) this.getAccount(account);
  }
}
