import { Injectable } from '@nestjs/common';
import { AccountAuthorities, findAccounts, HiveClient, HiveNodesUnavailableError } from '@waggle/chain';
import { ServiceError, unavailable } from '@waggle/service';

/** Which accounts there are on the chain. */
@Injectable()
export class Accounts {
  constructor(
    private readonly hive: HiveClient,
    private readonly authorities: AccountAuthorities,
  ) {}

  /** @throws ServiceError `account-not-found` naming the first that is not there; `unavailable` */
  async requireAll(accounts: readonly string[]): Promise<void> {
    const existing = await this.existing(accounts).catch((error: unknown) => {
      throw error instanceof HiveNodesUnavailableError ? unavailable('The Hive network', error) : error;
    });
    const missing = accounts.find((account) => !existing.has(account));
    if (missing !== undefined) throw new ServiceError('account-not-found', `there is no account ${missing}`);
  }

  /** One account is remembered; many are one call, as they are rarely the same ones again. */
  private async existing(accounts: readonly string[]): Promise<Set<string>> {
    const [only] = accounts;
    if (accounts.length === 1 && only !== undefined)
      return new Set((await this.authorities.exists(only)) ? [only] : []);
    return new Set((await findAccounts(this.hive, accounts)).map(({ name }) => name));
  }
}
