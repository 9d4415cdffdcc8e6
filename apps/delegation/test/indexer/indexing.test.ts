import { Devnet } from '@waggle/devnet';
import { Random, until } from '@waggle/testing';
import { DelegationUnderTest } from '../support/delegation-under-test';
import { IndexerUnderTest } from '../support/indexer-under-test';
import { RandomChain } from '../support/random-chain';
import { storedState } from '../support/stored-state';

describe('the indexer on a chain', () => {
  let devnet: Devnet;
  let service: DelegationUnderTest;
  const indexers: IndexerUnderTest[] = [];
  const index = async (changes: Parameters<typeof IndexerUnderTest.start>[2] = {}) => {
    const indexer = await IndexerUnderTest.start(service.database.url, devnet.urls, changes);
    indexers.push(indexer);
    return indexer;
  };
  beforeEach(async () => {
    devnet = await Devnet.start({ unsigned: true });
    service = await DelegationUnderTest.start();
  });
  afterEach(async () => {
    for (const indexer of indexers.splice(0)) await indexer.stop();
    await service.stop();
    await devnet.stop();
  });

  it('makes a change visible within two seconds after it becomes irreversible', async () => {
    await index({ startFrom: 'first-block', pollIntervalMs: 1_000 });
    await until(async () => (await service.get('/api/deleg/account?account=alice')).status === 200);
    const tookMs: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      devnet.delegate('alice', 'bob', `${round * 3_000}.000000 VESTS`);
      const before = (await service.get('/api/deleg/in?account=bob')).text;
      expect(before).not.toContain(`"amount":${round * 3_000}`);
      const startedMs = performance.now();
      devnet.makeIrreversible();
      await until(async () =>
        (await service.get('/api/deleg/in?account=bob')).text.includes(`"amount":${round * 3_000}`),
      );
      tookMs.push(performance.now() - startedMs);
    }
    // The fastest one, since a busy machine may delay some.
    expect(Math.min(...tookMs)).toBeLessThan(2_000);
  });

  it('ends with the state of the chain, after all operations and virtual operations', async () => {
    const chain = new RandomChain(devnet, new Random(7));
    chain.live(300);
    const indexer = await index({ startFrom: 'first-block' });
    chain.live(100);
    devnet.makeIrreversible();
    await indexer.reached(devnet.chain.head.number);
    const { delegations, returns } = await storedState(service.database.url);
    const { state } = devnet.chain;
    expect(delegations.map(({ delegator, delegatee, amount }) => [delegator, delegatee, amount])).toEqual(
      [...state.delegations.from()].map(({ delegator, delegatee, vests }) => [
        delegator,
        delegatee,
        String(vests.units),
      ]),
    );
    const pending = [...state.delegations.expirationsFrom()].map(({ delegator, vests, expiration }) =>
      [expiration, delegator, String(vests.units)].join(' '),
    );
    expect(returns.map(({ returns: at, delegator, amount }) => [at, delegator, amount].join(' ')).sort()).toEqual(
      pending.sort(),
    );
    expect(pending.length).toBeGreaterThan(0);
  });

  it('continues with the next node if one rejects every call', async () => {
    const mean = await Devnet.start({ unsigned: true });
    mean.node.misbehave({ error: { code: -32000, message: 'Too many requests' } });
    const indexer = await IndexerUnderTest.start(service.database.url, [mean.url, devnet.url], {
      startFrom: 'first-block',
    });
    indexers.push(indexer);
    devnet.makeIrreversible();
    await indexer.reached(devnet.chain.head.number);
    expect(mean.node.calls.size).toBeGreaterThan(0);
    await mean.stop();
  });

  it('stops at an invalid block, reports it in log and readiness, and continues with a valid one', async () => {
    const indexer = await index({ startFrom: 'first-block' });
    devnet.delegate('alice', 'bob', '3000.000000 VESTS');
    devnet.makeIrreversible();
    const known = devnet.chain.head.number;
    await indexer.reached(known);
    expect(await indexer.isReady()).toBe(true);
    devnet.node.misbehave({ lies: [{ kind: 'wrong-previous', blockNumber: known + 2 }] });
    devnet.produceBlocks(5);
    await until(async () => !(await indexer.isReady()));
    const message = 'every node contradicts itself or the chain';
    await until(() => indexer.logLines.some((line) => line.includes(message)));
    expect(indexer.logLines.find((line) => line.includes(message))).toContain(
      `block ${known + 2} does not follow block ${known + 1}`,
    );
    const { status, headers } = await service.get('/api/deleg/in?account=bob');
    expect([status, headers['x-synced-block']]).toEqual([200, String(known)]);
    expect((await service.get('/health/ready')).status).toBe(200);
    devnet.node.behave();
    await until(() => indexer.isReady());
    await indexer.reached(known + 3);
  });
});
