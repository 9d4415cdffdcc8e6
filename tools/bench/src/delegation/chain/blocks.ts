import { type Devnet, devnetKeys, seedAccounts } from '@waggle/devnet';

/** What a block holds: as on Hive, most of it is nothing to an indexer of delegations. */
export interface BlockContent {
  /** Of other kinds. */
  readonly otherOperations: number;
  /** A delegation in the first of so many. */
  readonly blocksPerDelegation: number;
}

/** Operations of one transaction; on Hive most have one, but bytes are bytes. */
const perTransaction = 10;

/** What an application writes into the chain for one move of a player. */
const moveText = JSON.stringify({
  app: 'bench/1.0',
  move: 'claim',
  tiles: Array.from({ length: 20 }, (_, n) => n * n),
});

/** Makes such blocks, one after another. */
export function makeBlocks(
  devnet: Devnet,
  blocks: number,
  { otherOperations, blocksPerDelegation }: BlockContent,
): void {
  let made = 0;
  for (let block = 0; block < blocks; block += 1) {
    for (let n = 0; n < otherOperations; n += perTransaction) {
      const size = Math.min(perTransaction, otherOperations - n);
      const [account] = pairOf(block + n);
      const operations = Array.from({ length: size }, (_none, place): [string, object] => [
        'custom_json',
        { required_auths: [], required_posting_auths: [account], id: `bench-${n + place}`, json: moveText },
      ]);
      devnet.chain.include(operations, [devnetKeys(account).posting.wif]);
    }
    if (block % blocksPerDelegation === 0) {
      made += 1;
      const [delegator, delegatee] = pairOf(made);
      // Each time another amount, of which enough is left for what is on its way back.
      const value = { delegator, delegatee, vesting_shares: `${2_000 + 200 * (made % 7)}.000000 VESTS` };
      devnet.chain.include([['delegate_vesting_shares', value]], [devnetKeys(delegator).active.wif]);
    }
    // A day passes now and then: what was taken back comes back.
    devnet.chain.produceBlock(block % 100 === 99 ? 28_800 : 0);
  }
}

function pairOf(number: number): [one: string, other: string] {
  const one = number % seedAccounts.length;
  const other =
    (one + 1 + (Math.floor(number / seedAccounts.length) % (seedAccounts.length - 1))) % seedAccounts.length;
  return [seedAccounts[one] ?? 'alice', seedAccounts[other] ?? 'bob'];
}
