import { Injectable } from '@nestjs/common';
import { AccountAuthorities, findAccounts, HiveClient } from '@waggle/chain';
import { ChatError } from './errors';
import { answerOfHive } from './hive';

/** Which accounts there are on the chain. */
@Injectable()
export class Accounts {
  constructor(
    private readonly hive: HiveClient,
    private readonly authorities: AccountAuthorities,
  ) {}

  /** @throws ServiceError `account-not-found` naming the first that is not there; `unavailable` */
  async requireAll(accounts: readonly string[]): Promise<void> {
    const existing = await answerOfHive(this.existing(accounts));
    const missing = accounts.find((account) => !existing.has(account));
    if (missing !== undefined) throw new ChatError('account-not-found', `there is no account ${missing}`);
  }

  /** One account is remembered; many are one call, as they are rarely the same ones again. */
  private async existing(accounts: readonly string[]): Promise<Set<string>> {
    const [only] = accounts;
    if (accounts.length === 1 && only !== undefined)
      return new Set((await this.authorities.exists(only)) ? [only] : []);
    return new Set((await findAccounts(this.hive, accounts)).map(({ name }) => name));
  }
}
