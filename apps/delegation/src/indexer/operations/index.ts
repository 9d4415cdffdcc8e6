import { OperationHandlers } from '@waggle/chain';
import { accountCreateWithDelegation } from './account-create-with-delegation';
import { delegateVestingShares } from './delegate-vesting-shares';
import { hardforkHive } from './hardfork-hive';
import { returnVestingDelegation } from './return-vesting-delegation';

/** What makes the history of delegations. To add an operation, write its file and name it here. */
const changing = [delegateVestingShares, accountCreateWithDelegation, hardforkHive];

/** Every operation that the index is about. */
export const handlers = new OperationHandlers([...changing, returnVestingDelegation]);

/** Those that the history alone is about. */
export const historyHandlers = new OperationHandlers(changing);

/** The virtual ones among them, as the follower wants them named. */
export const virtualOperations = ['hardfork_hive', 'return_vesting_delegation'];
export const virtualOperationsOfHistory = ['hardfork_hive'];
