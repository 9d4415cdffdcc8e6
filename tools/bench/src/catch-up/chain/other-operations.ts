import { type Devnet, devnetKeys, seedAccounts } from '@waggle/devnet';

/** On Hive most transactions have one operation; the number matters little to the size. */
const perTransaction = 10;

/** What a game writes into the chain for a move of a player. */
const moveText = JSON.stringify({
  app: 'bench/1.0',
  move: 'claim',
  tiles: Array.from({ length: 20 }, (_, n) => n * n),
});

/** Includes operations in the next block that change neither index, as most operations on Hive. */
export function includeOtherOperations(devnet: Devnet, block: number, count: number): void {
  for (let n = 0; n < count; n += perTransaction) {
    const size = Math.min(perTransaction, count - n);
    const account = seedAccounts[(block + n) % seedAccounts.length] ?? 'alice';
    const operations = Array.from({ length: size }, (_none, index): [string, object] => [
      'custom_json',
      { required_auths: [], required_posting_auths: [account], id: `bench-${n + index}`, json: moveText },
    ]);
    devnet.chain.include(operations, [devnetKeys(account).posting.wif]);
  }
}
