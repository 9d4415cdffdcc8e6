import { onOperation, OperationHandlers } from '@waggle/chain';
import { z } from 'zod';
import { vests } from '../../amounts/vests';
import { type BlockSteps } from './steps';

/** Allows every character that names on the chain have ever had. Names are written into JSON and CSV unescaped. */
export const chainAccount = z.string().regex(/^[a-z0-9.-]{1,16}$/);

/** Sets the amount of a delegation; 0 removes it. If it is reduced, `Ledger` adds a pending return. */
const delegateVestingShares = onOperation(
  'delegate_vesting_shares_operation',
  z.object({ delegator: chainAccount, delegatee: chainAccount, vesting_shares: vests }),
  (steps: BlockSteps, { delegator, delegatee, vesting_shares: amount }, position) => {
    steps.add(position, { kind: 'set', delegator, delegatee, amount });
  },
);

/** Creates an account with a delegation from its creator; without effect here if the amount is 0. */
const accountCreateWithDelegation = onOperation(
  'account_create_with_delegation_operation',
  z.object({ creator: chainAccount, new_account_name: chainAccount, delegation: vests }),
  (steps: BlockSteps, { creator: delegator, new_account_name: delegatee, delegation: amount }, position) => {
    if (amount > 0n) steps.add(position, { kind: 'set', delegator, delegatee, amount, isLocked: true });
  },
);

/** Virtual: hardfork 23 removed the balance of an account and its outgoing delegations. */
const hardforkHive = onOperation(
  'hardfork_hive_operation',
  z.object({ account: chainAccount, other_affected_accounts: z.array(chainAccount).default([]) }),
  (steps: BlockSteps, { account: delegator, other_affected_accounts: delegatees }, position) => {
    steps.add(position, { kind: 'clear', delegator, delegatees });
  },
);

/** Virtual: days after a delegation was reduced, the delegator has the difference back. Changes no delegation. */
const returnVestingDelegation = onOperation(
  'return_vesting_delegation_operation',
  z.object({ account: chainAccount, vesting_shares: vests }),
  (steps: BlockSteps, { account: delegator, vesting_shares: amount }, position) => {
    steps.add(position, { kind: 'returned', delegator, amount });
  },
);

/**
 * Handlers of the operations that change delegations; the backfill applies only these. The name of a virtual operation
 * is also listed below.
 */
const changing = [delegateVestingShares, accountCreateWithDelegation, hardforkHive];

/** Handlers of every operation that changes the index. */
export const handlers = new OperationHandlers([...changing, returnVestingDelegation]);

/** Handlers for the backfill. */
export const historyHandlers = new OperationHandlers(changing);

/** The virtual ones among them, by the names that the follower takes. */
export const virtualOperations = ['hardfork_hive', 'return_vesting_delegation'];
export const virtualOperationsOfHistory = ['hardfork_hive'];
