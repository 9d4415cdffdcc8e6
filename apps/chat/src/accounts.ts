import { Injectable } from '@nestjs/common';
import { ExistingAccounts } from '@waggle/chain';
import { accountName } from '@waggle/contracts';
import { mapHiveErrors } from '@waggle/service/chain';
import { ChatError } from './errors';

/** Looks up accounts on the chain. */
@Injectable()
export class Accounts {
  constructor(private readonly existing: ExistingAccounts) {}

  /** @throws ServiceError `unavailable` */
  exists(account: string): Promise<boolean> {
    return mapHiveErrors(this.existing.exists(account));
  }

  /** @throws ServiceError `account-not-found` naming the first that does not exist; `unavailable` */
  async requireAll(accounts: readonly string[]): Promise<void> {
    const [missing] = await mapHiveErrors(this.existing.findMissing(accounts));
    if (missing !== undefined) throw new ChatError('account-not-found', `there is no account ${missing}`);
  }
}

/** Returns the name if it is a valid one. @throws ChatError `account-not-found` */
export function requireAccountName(name: unknown): string {
  const result = accountName.safeParse(name);
  if (result.success) return result.data;
  throw new ChatError('account-not-found', 'that is not the name of an account');
}
