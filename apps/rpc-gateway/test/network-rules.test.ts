import { HiveClient } from '@waggle/chain';
import { Devnet } from '@waggle/devnet';
import { mainNetworkRules, otherNetworkRules, readNetworkRules } from '../src/indexer/network-rules';
import { IndexUnderTest } from './index-under-test';
import { act, create, custom, follow, post, reblog } from './operations';

describe('the rules of a network', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
  });
  afterAll(() => index.stop());
  beforeEach(async () => {
    await index.reset();
    index.rules = { communitiesFrom: 3, commandsFrom: 3 };
    await index.apply([create('alice'), create('bob'), post('alice', 'honey')]);
  });

  const honey = { author: 'alice', permlink: 'honey' };
  const bareFollow = custom('bob', 'follow', { follower: 'bob', following: 'alice', what: ['blog'] });
  const bareReblog = custom('bob', 'reblog', { account: 'bob', ...honey });
  const typesOf = async (account: string) => (await index.items(account)).map(({ type }) => type).toSorted();

  it('let actions without a command count below a block, and with one in each block', async () => {
    await index.apply([bareFollow, bareReblog]);
    expect(await typesOf('alice')).toEqual(['follow', 'reblog']);
    await index.reset();
    index.rules = { communitiesFrom: 3, commandsFrom: 3 };
    await index.apply([create('alice'), create('bob'), post('alice', 'honey')], [], [bareFollow, bareReblog]);
    expect(await typesOf('alice')).toEqual([]);
    await index.apply([follow('bob', 'alice'), reblog('bob', honey)]);
    expect(await typesOf('alice')).toEqual(['follow', 'reblog']);
  });

  it('let communities begin at a block', async () => {
    await index.apply([create('hive-100001'), act('bob', 'subscribe', 'hive-100001')]);
    await expect(index.call('bridge.get_community', { name: 'hive-100001' })).rejects.toThrow();
    expect(await typesOf('bob')).toEqual([]);
    await index.apply([create('hive-100002'), act('bob', 'subscribe', 'hive-100002')]);
    expect(await index.call('bridge.get_community', { name: 'hive-100002' })).toMatchObject({ subscribers: 1 });
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
