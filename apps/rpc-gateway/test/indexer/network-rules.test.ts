import { HiveClient } from '@waggle/chain';
import { Devnet } from '@waggle/devnet';
import { mainNetworkRules, otherNetworkRules, readNetworkRules } from '../../src/indexer/network-rules';
import { IndexUnderTest } from '../support/index-under-test';
import { act, castVote, create, custom, post, vote } from '../support/operations';

describe('the rules of the early blocks', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  afterAll(() => index.stop());
  beforeEach(() => index.reset());

  const typesOf = async (account: string) => (await index.items(account)).map(({ type }) => type).toSorted();

  // hivemind adds the command below block 6,000,000 unless the JSON is a list, on every chain (`CustomOp` in
  // hive/indexer/custom_op.py).
  describe.each([mainNetworkRules, otherNetworkRules])('of a chain with %j', (rules) => {
    const honey = { author: 'alice', permlink: 'honey' };
    const follows = { follower: 'bob', following: 'alice', what: ['blog'] };
    const reblogs = { account: 'bob', ...honey };
    beforeEach(async () => {
      index.rules = rules;
      await index.apply([create('alice'), create('bob'), post('alice', 'honey')]);
    });

    it.each([
      ['follow', follows, 'follow'],
      ['reblog', reblogs, 'reblog'],
    ])('let a %s without a command count below block 6,000,000', async (id, payload, type) => {
      index.continueAtBlock(5_999_999);
      await index.apply([custom('bob', id, payload)]);
      expect(await typesOf('alice')).toEqual([type]);
    });

    it.each([
      ['follow', follows],
      ['reblog', reblogs],
    ])('let a %s without a command not count from block 6,000,000 on', async (id, payload) => {
      index.continueAtBlock(6_000_000);
      await index.apply([custom('bob', id, payload)], [custom('bob', id, payload)]);
      expect(await typesOf('alice')).toEqual([]);
    });

    it.each([
      ['follow', 'reblog'],
      ['reblog', 'follow'],
    ])('take a payload with the id %s not for a %s', async (id, other) => {
      await index.apply([custom('bob', id, other === 'follow' ? follows : reblogs)]);
      expect(await typesOf('alice')).toEqual([]);
    });

    it.each([1_000, 6_000_000])('let both ids carry both commands in block %s', async (number) => {
      index.continueAtBlock(number);
      await index.apply([custom('bob', 'follow', ['reblog', reblogs]), custom('bob', 'reblog', ['follow', follows])]);
      expect(await typesOf('alice')).toEqual(['follow', 'reblog']);
    });
  });

  it('let communities begin at a block', async () => {
    index.rules = { ...otherNetworkRules, communitiesFrom: 3 };
    await index.apply([create('bob')]);
    await index.apply([create('hive-100001'), act('bob', 'subscribe', 'hive-100001')]);
    await expect(index.call('bridge.get_community', { name: 'hive-100001' })).rejects.toThrow();
    expect(await typesOf('bob')).toEqual([]);
    await index.apply([create('hive-100002'), act('bob', 'subscribe', 'hive-100002')]);
    expect(await index.call('bridge.get_community', { name: 'hive-100002' })).toMatchObject({ subscribers: 1 });
  });
});

describe('votes before the split of VESTS', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  afterAll(() => index.stop());

  const honey = { author: 'alice', permlink: 'honey' };
  const votes = (rshares: number) => [castVote('bob', honey), vote('bob', honey, rshares)];

  it.each([
    [mainNetworkRules, '64000000'],
    [otherNetworkRules, '64'],
  ])('are scaled, but not for reputations (%j)', async (rules, scaled) => {
    await index.reset();
    index.rules = rules;
    const rows = async () => {
      const every = await index.everyRow();
      return ['vote', 'payout', 'account'].map((table) => every[table]?.[0]);
    };
    index.continueAt(new Date('2016-04-25T17:29:51Z'));
    await index.apply([create('alice'), create('bob'), post('alice', 'honey')], votes(64));
    expect(await rows()).toMatchObject([{ rshares: scaled }, { rshares: scaled }, { reputation: '1' }]);
    await index.apply(votes(6_400));
    expect(await rows()).toMatchObject([{ rshares: '6400' }, { rshares: '6400' }, { reputation: '100' }]);
  });
});

describe('nodes', () => {
  let devnet: Devnet;
  let hive: HiveClient;
  beforeEach(async () => {
    devnet = await Devnet.start({ nodes: 3, unsigned: true });
    hive = new HiveClient({ urls: devnet.urls });
  });
  afterEach(async () => {
    await hive.close();
    await devnet.stop();
  });

  const ofHive = { blocks: [{ block_id: '0000000109833ce528d5bbfb3f6225b39ee10086' }] };

  it('of a devnet have the rules of other networks, although they have the chain id of Hive', async () => {
    expect(await readNetworkRules(hive)).toBe(otherNetworkRules);
  });

  it.each([
    [1, otherNetworkRules],
    [2, mainNetworkRules],
  ])('decide by the first block that most of them have (%s of 3 that of Hive)', async (count, rules) => {
    for (const node of devnet.nodes.slice(0, count)) node.misbehave({ distort: () => ofHive });
    expect(await readNetworkRules(hive)).toBe(rules);
  });

  it('without the first block count as nodes of Hive beside one that has another one', async () => {
    for (const node of devnet.nodes.slice(1)) node.misbehave({ distort: () => ({ blocks: [] }) });
    expect(await readNetworkRules(hive)).toBe(mainNetworkRules);
  });

  it.each([
    ['return null', { distort: () => ({ blocks: null }) }],
    ['return no first block', { distort: () => ({ blocks: [] }) }],
    ['reject the call for it', { error: { code: -32003, message: 'Assert Exception:block was pruned' } }],
  ])('that %s are of Hive', async (_what, faults) => {
    for (const node of devnet.nodes) node.misbehave(faults);
    expect(await readNetworkRules(hive)).toBe(mainNetworkRules);
  });
});
