import { Devnet, devnetKeys, type SoftwareName } from '@waggle/devnet';
import { until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { DelegationUnderTest } from '../support/delegation-under-test';
import { IndexerUnderTest } from '../support/indexer-under-test';
import { storedState } from '../support/stored-state';

/** In the order of their ids, which is not the order of their names. */
const delegators = ['zoe', 'amy', 'alice', 'mike'];

describe.each<SoftwareName>(['hived', 'haf', 'hived-1.25'])('on a node of %s', (software) => {
  let devnet: Devnet;
  const services: DelegationUnderTest[] = [];
  const indexers: IndexerUnderTest[] = [];
  beforeEach(async () => {
    devnet = await Devnet.start({ nodes: [software], unsigned: true });
    for (const delegator of delegators) {
      if (delegator !== 'alice') devnet.createAccount(delegator);
      const gift = { from: 'initminer', to: delegator, amount: '1000.000 HIVE' };
      devnet.include([['transfer_to_vesting', gift]], [devnetKeys('initminer').active.wif]);
      for (const delegatee of ['bob', 'zoe', 'amy'])
        if (delegatee !== delegator && devnet.chain.state.findAccount(delegatee) !== undefined)
          devnet.delegate(delegator, delegatee, '50000.000000 VESTS');
    }
    devnet.delegate('zoe', 'bob', '40000.000000 VESTS');
    devnet.produceBlocks(60);
  });
  afterEach(async () => {
    for (const indexer of indexers.splice(0)) await indexer.stop();
    for (const service of services.splice(0)) await service.stop();
    await devnet.stop();
  });

  // Several pages are the harder case.
  it.each(isLong ? [2, 1_000] : [2])(
    'an index of the current state, in pages of %s, has all delegations',
    async (pageSize) => {
      const index = async (startFrom: 'current-state' | 'first-block') => {
        const service = await DelegationUnderTest.start();
        services.push(service);
        const indexer = await IndexerUnderTest.start(service.database.url, devnet.urls, { startFrom, pageSize });
        indexers.push(indexer);
        devnet.makeIrreversible();
        await indexer.reached(devnet.chain.head.number);
        await until(() => indexer.isReady());
        return { url: service.database.url, indexer };
      };
      const { url, indexer } = await index('current-state');
      const first = await index('first-block');
      const { delegations } = await storedState(url, devnet.chain.head.number);
      expect(delegations).toEqual((await storedState(first.url, devnet.chain.head.number)).delegations);
      expect(delegations).toHaveLength(9);
      expect(indexer.logLines.join('\n')).not.toContain('could not be loaded from a node');
    },
  );
});
