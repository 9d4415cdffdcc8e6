import { rpcErrorCodes } from '@waggle/contracts';
import { z } from 'zod';
import { GatewayUnderTest } from '../support/gateway-under-test';
import { IndexUnderTest } from '../support/index-under-test';
import { act, create, follow, post, vote } from '../support/operations';
import { ScriptedNode } from '../support/scripted-node';

const bees = 'hive-100001';
const wasps = 'hive-100002';

describe('methods that need only the index', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
    await index.apply(['alice', 'bob', 'carol', bees, wasps].map((name) => create(name)));
    await index.apply([
      act('alice', 'subscribe', wasps),
      act('bob', 'subscribe', wasps),
      act('carol', 'subscribe', wasps),
    ]);
    await index.applyAt(40 * 86_400, [], [act('alice', 'subscribe', bees), post('alice', 'honey', { category: bees })]);
    await index.apply([act(wasps, 'updateProps', wasps, { props: { title: 'Wasps' } })]);
    await index.apply([vote('bob', { author: 'alice', permlink: 'honey' }, 64e14, 5_000)]);
  });
  afterAll(() => index.stop());

  it('return communities by rank as trending topics, by name if they have no title', async () => {
    expect(await index.call('bridge.get_trending_topics')).toEqual([
      [bees, bees],
      [wasps, 'Wasps'],
    ]);
    expect(await index.call('bridge.get_trending_topics', { limit: 1 })).toHaveLength(1);
  });

  it('return communities with new subscribers within a month as popular', async () => {
    expect(await index.call('bridge.list_pop_communities', ['25'])).toEqual([[bees, '']]);
    await index.apply(
      [act('bob', 'subscribe', bees)],
      [act('alice', 'unsubscribe', wasps), act('alice', 'subscribe', wasps)],
    );
    expect(await index.call('bridge.list_pop_communities')).toEqual([
      [bees, ''],
      [wasps, 'Wasps'],
    ]);
  });

  it('return reputations by name, from a lower bound', async () => {
    const reputations = await index.callBy('condenser_api.get_account_reputations', ['al', 2]);
    expect(reputations).toEqual([
      { account: 'alice', reputation: '100000000000000' },
      { account: 'bob', reputation: 0 },
    ]);
    for (const params of [[], ['a'], ['a', 1, 2]])
      await expect(index.callBy('condenser_api.get_account_reputations', params)).rejects.toThrow('expected 2 params');
    await expect(index.callBy('condenser_api.get_account_reputations', [7, 1])).rejects.toThrow(
      'invalid account_lower_bound type',
    );
  });

  it('return the reasons for mutes with their numbers', async () => {
    expect(await index.call('bridge.list_muted_reasons_enum')).toMatchObject({
      MUTED_PARENT: 2,
      MUTED_ROLE_COMMUNITY: 4,
    });
  });

  const votesText =
    'get_account_votes is no longer supported, for details see https://hive.blog/steemit/@steemitdev/additional-public-api-change';
  it.each([
    ['condenser_api.get_account_votes', votesText],
    // hivemind rejects it under this name too (`get_tags_api_method`).
    ['tags_api.get_account_votes', votesText],
    ['condenser_api.get_state', 'condenser_api get state is not supported'],
  ])('reject %s', async (method, text) => {
    for (const params of [undefined, ['a'], ['a', 'b', 'c'], { voter: 'a' }])
      await expect(index.call(method, params)).rejects.toMatchObject({
        code: rpcErrorCodes.invalidParams,
        message: `Assert Exception:${text}`,
      });
  });
});

describe('profiles', () => {
  let index: IndexUnderTest;
  beforeAll(async () => {
    index = await IndexUnderTest.start();
    // Accounts of the devnet's genesis, which are indexed too.
    await index.apply(['alice', 'bob', 'carol'].map((name) => create(name)));
    await index.apply([follow('bob', 'alice'), follow('bob', 'carol', 'ignore'), follow('carol', 'alice')]);
  });
  afterAll(() => index.stop());

  it('combine data of nodes and the index', async () => {
    expect(await index.call('bridge.get_profile', { account: 'alice' })).toMatchObject({
      name: 'alice',
      reputation: 25,
      stats: { rank: 0, following: 0, followers: 2 },
      blacklists: [],
    });
    expect(await index.call('bridge.get_profile', { account: 'alice' })).not.toHaveProperty('context');
  });

  it('state whether the observer follows or has muted the account', async () => {
    const params = { accounts: ['carol', 'alice', 'bob'], observer: 'bob' };
    expect(await index.call('bridge.get_profiles', params)).toMatchObject([
      { name: 'carol', context: { followed: false, muted: true } },
      { name: 'alice', context: { followed: true } },
      { name: 'bob', context: { followed: false } },
    ]);
  });

  it.each([
    [{ account: 7 }, 'invalid account name type'],
    [{ account: '468' }, '[{"468": "invalid account char"}]'],
    [{ account: 'not.existing' }, '[{"not.existing": "account does not exist"}]'],
    [{ account: 'alice', observer: 'not.existing' }, 'Account not.existing does not exist'],
  ])('of %j are rejected: %s', async (params, message) => {
    await expect(index.call('bridge.get_profile', params)).rejects.toThrow(`Assert Exception:${message}`);
  });

  it('are rejected with an error that names each invalid account', async () => {
    await expect(index.call('bridge.get_profiles', { accounts: ['al', 'alice', 'Bob'] })).rejects.toThrow(
      '[{"al": "invalid account name length: `al`"}, {"Bob": "invalid account char"}]',
    );
    await expect(index.call('bridge.get_profiles', { accounts: 'alice' })).rejects.toThrow('invalid accounts type');
    const accounts = Array.from({ length: 101 }, () => 'alice');
    await expect(index.call('bridge.get_profiles', { accounts })).rejects.toThrow('max allowed (100)');
  });
});

describe('accounts on the chain that are not indexed', () => {
  let node: ScriptedNode;
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    node = await ScriptedNode.start();
    gateway = await GatewayUnderTest.start([node.url]);
  });
  afterAll(async () => {
    await gateway.stop();
    await node.stop();
  });

  const time = '2025-01-15T12:30:45';
  const profile = (json: object) => JSON.stringify({ profile: json });

  it('get reputation and details from a node, with one request for concurrent calls', async () => {
    node.script = ({ method }) =>
      method === 'database_api.find_accounts'
        ? {
            accounts: [
              {
                id: 9,
                name: 'an-old-one',
                created: '2016-03-24T16:05:00',
                last_post: time,
                last_vote_time: '2024-01-01T00:00:00',
                post_count: 3,
                json_metadata: profile({ name: 'Former' }),
                posting_json_metadata: profile({ name: 'Old', website: 'bees.example', location: 7 }),
              },
            ],
          }
        : [{ account: 'an-old-one', reputation: '100000000000000' }];
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => gateway.call('bridge.get_profile', { account: 'an-old-one' })),
    );
    for (const { json } of responses)
      expect(z.object({ result: z.unknown() }).parse(json).result).toMatchObject({
        id: 9,
        created: '2016-03-24T16:05:00',
        active: time,
        post_count: 3,
        reputation: 63,
        metadata: { profile: { name: 'Old', website: 'http://bees.example', location: '', about: '' } },
      });
    expect(node.callsOf('database_api.find_accounts')).toBe(1);
    expect(node.callsOf('condenser_api.get_account_reputations')).toBe(1);
  });
});
