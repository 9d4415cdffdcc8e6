import { type Queryable } from '@waggle/service';
import { type KnownAccounts } from '../accounts/known-accounts';

/** What methods answer from. */
export interface Sources {
  readonly database: Queryable;
  readonly accounts: KnownAccounts;
}
