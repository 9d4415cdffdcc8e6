import { type HiveApi } from '@waggle/chain';
import { createLogger } from '@waggle/service';
import { DevnetAccounts } from './devnet-accounts';

const accounts = [{ name: 'alice', posting: '5K' }];

const none = '0'.repeat(40);
const firstBlockOfHive = {
  block_id: '0000000109833ce528d5bbfb3f6225b39ee10086',
  previous: none,
  timestamp: '2016-03-24T16:05:00',
  witness: 'initminer',
  transaction_merkle_root: none,
  extensions: [],
  witness_signature: '20'.repeat(65),
  transactions: [],
  transaction_ids: [],
};

/** A node with this first block, or that does not respond. */
function reading(first: () => object): { devnet: DevnetAccounts; logLines: string[] } {
  const logLines: string[] = [];
  const logger = createLogger('chat', 'trace', { write: (line) => logLines.push(line) });
  const hive: HiveApi = {
    call: async (_method, _params, result) => await result.parseAsync({ blocks: [first()] }),
  };
  return { devnet: new DevnetAccounts(accounts, hive, logger), logLines };
}

it('development accounts are offered on chains other than Hive', async () => {
  const { devnet } = reading(() => ({ ...firstBlockOfHive, block_id: `00000001${'ab'.repeat(16)}` }));
  expect(await devnet.find()).toEqual(accounts);
});

it('development accounts are never offered on Hive', async () => {
  const { devnet, logLines } = reading(() => firstBlockOfHive);
  expect(await devnet.find()).toBeUndefined();
  expect(logLines.join()).toContain('DEVNET_ACCOUNTS is ignored: the Hive nodes serve Hive');
});

it('development accounts are not offered until a node reports its chain', async () => {
  let isUp = false;
  const { devnet } = reading(() => {
    if (!isUp) throw new Error('no response');
    return { ...firstBlockOfHive, block_id: `00000001${'ab'.repeat(16)}` };
  });
  expect(await devnet.find()).toBeUndefined();
  isUp = true;
  expect(await devnet.find()).toEqual(accounts);
});
