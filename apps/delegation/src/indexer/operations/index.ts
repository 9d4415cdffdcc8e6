import { OperationHandlers } from '@waggle/chain';
import { accountCreateWithDelegation } from './account-create-with-delegation';
import { delegateVestingShares } from './delegate-vesting-shares';
import { hardforkHive } from './hardfork-hive';
import { returnVestingDelegation } from './return-vesting-delegation';

/**
 * Handlers of the operations that change delegations; the backfill applies only these. To add one, write its file and
 * list it here, and list the name of a virtual operation below.
 */
const changing = [delegateVestingShares, accountCreateWithDelegation, hardforkHive];

/** Handlers of every operation that changes the index. */
export const handlers = new OperationHandlers([...changing, returnVestingDelegation]);

/** Handlers for the backfill. */
export const historyHandlers = new OperationHandlers(changing);

/** The virtual ones among them, by the names that the follower takes. */
export const virtualOperations = ['hardfork_hive', 'return_vesting_delegation'];
export const virtualOperationsOfHistory = ['hardfork_hive'];
