import { Injectable } from '@nestjs/common';
import { AccountAuthorities, HiveNodesUnavailableError } from '@waggle/chain';
import { ServiceError, unavailable } from '@waggle/service';

/** Which accounts there are on the chain. */
@Injectable()
export class Accounts {
  constructor(private readonly authorities: AccountAuthorities) {}

  /** @throws ServiceError `account-not-found` naming the first that is not there; `unavailable` */
  async requireAll(accounts: readonly string[]): Promise<void> {
    const exist = await Promise.all(accounts.map((account) => this.authorities.exists(account))).catch(
      (error: unknown) => {
        throw error instanceof HiveNodesUnavailableError ? unavailable('The Hive network', error) : error;
      },
    );
    const missing = accounts[exist.indexOf(false)];
    if (missing !== undefined) throw new ServiceError('account-not-found', `there is no account ${missing}`);
  }
}
