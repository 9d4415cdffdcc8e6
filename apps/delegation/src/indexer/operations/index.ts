import { OperationHandlers } from '@waggle/chain';
import { accountCreateWithDelegation } from './account-create-with-delegation';
import { delegateVestingShares } from './delegate-vesting-shares';
import { hardforkHive } from './hardfork-hive';
import { returnVestingDelegation } from './return-vesting-delegation';

/** Handlers of the operations that change delegations. To add one, write its file and list it here. */
const changing = [delegateVestingShares, accountCreateWithDelegation, hardforkHive];

/** Every operation that the index is about. */
export const handlers = new OperationHandlers([...changing, returnVestingDelegation]);

/** Handlers for the backfill. */
export const historyHandlers = new OperationHandlers(changing);

/** The virtual ones among them, by the names that the follower takes. */
export const virtualOperations = ['hardfork_hive', 'return_vesting_delegation'];
export const virtualOperationsOfHistory = ['hardfork_hive'];
