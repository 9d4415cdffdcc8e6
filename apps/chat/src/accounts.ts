import { Injectable } from '@nestjs/common';
import { AccountAuthorities } from '@waggle/chain';
import { accountName } from '@waggle/contracts';
import { mapHiveErrors } from '@waggle/service/chain';
import { ChatError } from './errors';

/** Looks up accounts on the chain. */
@Injectable()
export class Accounts {
  constructor(private readonly authorities: AccountAuthorities) {}

  /** @throws ServiceError `account-not-found` naming the first that does not exist; `unavailable` */
  async requireAll(accounts: readonly string[]): Promise<void> {
    const [missing] = await mapHiveErrors(this.authorities.findMissing(accounts));
    if (missing !== undefined) throw new ChatError('account-not-found', `there is no account ${missing}`);
  }
}

/** Returns the name if it is a valid one. @throws ChatError `account-not-found` */
export function requireAccountName(name: unknown): string {
  const result = accountName.safeParse(name);
  if (result.success) return result.data;
  throw new ChatError('account-not-found', 'that is not the name of an account');
}
