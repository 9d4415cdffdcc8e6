import { type Devnet, devnetKeys, seedAccounts } from '@waggle/devnet';
import { includeOtherOperations } from './other-operations';

/** A delegation in every second block is about five times as many as on Hive. */
const blocksPerDelegation = 2;

/** Makes blocks with delegations among other operations. */
export function makeDelegationBlocks(devnet: Devnet, blocks: number, otherOperations: number): void {
  let made = 0;
  for (let block = 0; block < blocks; block += 1) {
    includeOtherOperations(devnet, block, otherOperations);
    if (block % blocksPerDelegation === 0) {
      made += 1;
      const [delegator, delegatee] = pairOf(made);
      // A different amount each time, small enough while earlier amounts are still on their way back.
      const value = { delegator, delegatee, vesting_shares: `${2_000 + 200 * (made % 7)}.000000 VESTS` };
      devnet.chain.include([['delegate_vesting_shares', value]], [devnetKeys(delegator).active.wif]);
    }
    // A day passes now and then, so that removed delegations return.
    devnet.chain.produceBlock(block % 100 === 99 ? 28_800 : 0);
  }
}

function pairOf(number: number): [delegator: string, delegatee: string] {
  const one = number % seedAccounts.length;
  const other =
    (one + 1 + (Math.floor(number / seedAccounts.length) % (seedAccounts.length - 1))) % seedAccounts.length;
  return [seedAccounts[one] ?? 'alice', seedAccounts[other] ?? 'bob'];
}
