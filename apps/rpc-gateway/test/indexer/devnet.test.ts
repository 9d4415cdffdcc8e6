import { type Devnet, type SoftwareName } from '@waggle/devnet';
import { differencesFromReadme, documentedMetrics, Random } from '@waggle/testing';
import { Client } from 'pg';
import { type GatewayUnderTest } from '../support/gateway-under-test';
import { type Item } from '../support/index-under-test';
import { RandomActivity } from '../support/random-activity';
import { GatewayStack } from '../support/gateway-stack';

const bees = 'hive-100001';
const honey = { author: 'alice', permlink: 'honey' };

/** From an operation on the chain through the indexer to the response of the API. */
/**
 * 2025-01-01, in seconds: the test advances the chain by months, and the indexer does not accept a head in the future.
 */
const genesisTime = 1_735_689_600;

describe.each<SoftwareName>(['hived', 'haf'])('a node of %s, indexer and API', (software) => {
  let stack: GatewayStack;
  let devnet: Devnet;
  let gateway: GatewayUnderTest;

  const act = (signer: string, action: string, payload: object = {}) =>
    devnet.customJson(signer, 'community', [action, { community: bees, ...payload }]);
  const follow = (follower: string, following: string, action: string) =>
    devnet.customJson(follower, 'follow', ['follow', { follower, following, what: [action] }]);
  const messagesOf = async (account: string) => {
    const { json } = await gateway.call('bridge.account_notifications', { account, min_score: 0 });
    return (json as { result: Item[] }).result.map(({ type, msg }) => [type, msg]);
  };

  beforeAll(async () => {
    stack = await GatewayStack.start({ nodes: [software], unsigned: true, genesisTime });
    ({ devnet, gateway } = stack);
  });
  afterAll(() => stack.stop());

  it('expose the metrics of the README', async () => {
    await stack.indexed();
    expect(differencesFromReadme(await stack.indexerMetrics(), documentedMetrics('rpc-gateway'), 'indexer')).toEqual(
      [],
    );
  });

  it('deliver every type of notification', async () => {
    devnet.createAccount(bees);
    act(bees, 'setRole', { account: 'carol', role: 'mod' });
    act(bees, 'updateProps', { props: { title: 'Bees' } });
    act('bob', 'subscribe');
    devnet.post('alice', 'honey', { parent_permlink: bees });
    devnet.reply('bob', 'sweet', honey);
    devnet.reply('carol', 'indeed', { author: 'bob', permlink: 'sweet' });
    devnet.post('bob', 'thanks', { body: 'To @alice.' });
    devnet.vote('bob', honey);
    follow('bob', 'alice', 'blog');
    devnet.customJson('bob', 'follow', ['reblog', { account: 'bob', ...honey }]);
    const post = { account: 'alice', permlink: 'honey' };
    act('carol', 'mutePost', { ...post, notes: 'wasps' });
    act('carol', 'unmutePost', { ...post, notes: 'bees' });
    act('carol', 'pinPost', post);
    act('carol', 'unpinPost', post);
    act('bob', 'flagPost', { ...post, notes: 'too sweet' });
    act('bob', 'pinPost', post);
    act('carol', 'setUserTitle', { account: 'bob', title: 'Keeper' });
    await stack.indexed();

    expect(await messagesOf('alice')).toEqual([
      ['unpin_post', '@carol unpinned your post'],
      ['pin_post', '@carol pinned your post'],
      ['unmute_post', '@carol unmuted your post - bees'],
      ['mute_post', '@carol muted your post - wasps'],
      ['reblog', '@bob reblogged your post'],
      ['follow', '@bob followed you'],
      ['vote', expect.stringMatching(/^@bob voted on your post \(\$\d+\.\d\d\)$/)],
      ['mention', '@bob mentioned you and 0 others'],
      ['reply', '@bob replied to your post'],
    ]);
    expect(await messagesOf('bob')).toEqual([
      ['set_title', '@carol set your title to Keeper'],
      ['error', 'error: only mods and above can pin posts'],
      ['reply_comment', '@carol replied to your comment'],
    ]);
    expect(await messagesOf('carol')).toEqual([
      ['flag_post', '@bob flagged a post - too sweet'],
      ['set_props', `@${bees} set properties {"title": "Bees"}`],
      ['set_role', `@${bees} set your role to mod`],
    ]);
    expect(await messagesOf(bees)).toEqual([
      ['flag_post', '@bob flagged a post - too sweet'],
      ['subscribe', '@bob subscribed to Bees'],
      ['new_community', `@${bees} was created`],
    ]);
  });

  it('compute the same reputations as the chain', async () => {
    // Bob withdraws a vote in the block that deletes the post.
    const wasps = { author: 'erin', permlink: 'wasps' };
    devnet.post(wasps.author, wasps.permlink);
    devnet.vote('bob', wasps);
    devnet.chain.include([['vote', { voter: 'bob', ...wasps, weight: 0 }]], []);
    devnet.chain.include([['delete_comment', wasps]], []);
    devnet.produceBlock();
    expect(devnet.chain.state.getAccount('erin').reputation ?? 0n).toBe(0n);
    new RandomActivity(devnet, new Random(7)).produceBlocks(200);
    await stack.indexed();
    const client = new Client({ connectionString: gateway.database.url });
    await client.connect();
    const { rows } = await client.query('SELECT name, reputation FROM account WHERE reputation <> 0 ORDER BY name');
    await client.end();
    const onChain = [...devnet.chain.state.accountsFrom('')].flatMap(({ name, reputation }) =>
      reputation === undefined || reputation === 0n ? [] : [{ name, reputation: String(reputation) }],
    );
    expect(rows).toEqual(onChain);
    expect(rows.length).toBeGreaterThan(2);
  });

  it('stop returning notifications after ninety days', async () => {
    devnet.chain.produceBlock(91 * 24 * 60 * 60);
    await stack.indexed();
    for (const name of ['alice', 'bob', 'carol', bees]) expect(await messagesOf(name)).toEqual([]);
  });
});
