import { accountCreateWithDelegation } from './account-create-with-delegation';
import { delegateVestingShares } from './delegate-vesting-shares';
import { hardforkHive } from './hardfork-hive';
import { returnVestingDelegation } from './return-vesting-delegation';

/** Every operation that the service understands. To add one, write its file and name it here. */
const handlers = [delegateVestingShares, accountCreateWithDelegation, hardforkHive, returnVestingDelegation];

/** By the type that a followed operation has. */
export const handlerByType = new Map(handlers.map((handler) => [`${handler.name}_operation`, handler]));

/** The real operations that the follower is to give, as it wants them named. */
export const operationTypes = handlers.filter(({ isVirtual }) => !isVirtual).map(({ name }) => `${name}_operation`);

/** The virtual operations that the follower is to give, as it wants them named. */
export const virtualOperations = handlers.filter(({ isVirtual }) => isVirtual).map(({ name }) => name);

/** Those of them that make history; what is given back makes none. */
export const virtualOperationsOfHistory = virtualOperations.filter((name) => name !== returnVestingDelegation.name);
