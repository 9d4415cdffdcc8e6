import { utils } from '@hiveio/dhive';
import { DevnetChain } from './chain/chain';
import { impactedAccounts } from './impacted-accounts';
import { operationBit } from './operation-types';
import { includeSampleContent } from './sample-content';

/** Names that hived changed; dhive keeps the older ones. */
const renamed = new Map([
  ['sps_convert', 'dhf_conversion'],
  ['sps_fund', 'dhf_funding'],
]);

describe('an operation', () => {
  it('has the type that dhive filters by', () => {
    for (const [name, type] of Object.entries(utils.operationOrders)) {
      expect([name, operationBit(renamed.get(name) ?? name)]).toEqual([name, 1n << BigInt(type)]);
    }
    expect(operationBit('nothing')).toBe(0n);
  });

  it('has a type and is in the history of an account', () => {
    const chain = new DevnetChain({ unsigned: true });
    includeSampleContent(chain);
    chain.produceBlocks(3);
    const blocks = Array.from({ length: chain.head.number }, (_, index) => chain.findBlock(index + 1));
    const operations = blocks.flatMap((block) => block?.operations ?? []).map(({ operation }) => operation);
    expect(operations.length).toBeGreaterThan(50);
    expect(operations.filter(({ name }) => operationBit(name) === 0n)).toEqual([]);
    expect(operations.filter((operation) => impactedAccounts(operation).size === 0)).toEqual([]);
  });
});
