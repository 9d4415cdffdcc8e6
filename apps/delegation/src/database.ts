import { ChainCheckpointEntity, databaseOptions, migrate as migrateBy, type DatabaseSettings } from '@waggle/service';
import { type DataSourceOptions } from 'typeorm';
import { AccountBalanceEntity } from './delegations/account-balance.entity';
import { DelegationEntity } from './delegations/delegation.entity';
import { PendingReturnEntity } from './delegations/pending-return.entity';
import { DelegationChangeEntity } from './history/delegation-change.entity';
import { IndexStateEntity } from './index-state/index-state.entity';
import { CreateDelegation1795400000000 } from './migrations/1795400000000-create-delegation';

/** The database of the delegation service, of both of its processes. */
export function delegationDatabase(settings: DatabaseSettings): DataSourceOptions {
  return databaseOptions(settings, {
    service: 'delegation',
    entities: [
      ChainCheckpointEntity,
      IndexStateEntity,
      DelegationEntity,
      AccountBalanceEntity,
      PendingReturnEntity,
      DelegationChangeEntity,
    ],
    migrations: [CreateDelegation1795400000000],
  });
}

/** Brings the schema up to date. @returns the names of the migrations that were run */
export function migrate(url: string): Promise<string[]> {
  return migrateBy(delegationDatabase({ url, poolSize: 2, isMigration: true }));
}
