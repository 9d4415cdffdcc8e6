import { Devnet } from './devnet';
import { type DevnetNode } from './node/node';

// Responses of nodes and social gateways about posts, votes and reputations.

const post = { author: 'alice', permlink: 'a-post' };
const reply = { author: 'bob', permlink: 'a-reply' };
/** rshares of a full vote of an account of the seed. */
const full = 19_950_000_000;

let devnet: Devnet;
let created: string;

beforeAll(async () => {
  devnet = await Devnet.start({ unsigned: true, gateways: 1 });
  created = devnet.chain.head.timestamp;
  const metadata = { json_metadata: '{"tags":["bees","honey"]}', parent_permlink: 'hive-100001' };
  devnet.post('alice', 'a-post', { title: 'About bees', body: 'They *fly*.', ...metadata });
  devnet.reply('bob', 'a-reply', post);
  devnet.reply('alice', 'an-reply', reply);
  devnet.vote('carol', post);
  devnet.vote('bob', post, -5000);
  devnet.vote('alice', reply);
  devnet.post('bob', 'another-post', { parent_permlink: 'honey', json_metadata: '' });
  const profile = { name: 'Alice', about: 'Keeps bees.', website: 'bees.example', nothing: 7 };
  const posting_json_metadata = JSON.stringify({ profile });
  devnet.include([['account_update2', { account: 'alice', json_metadata: '', posting_json_metadata }]], []);
});
afterAll(() => devnet.stop());

async function call(node: DevnetNode, method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response: unknown = await (await fetch(node.url, { method: 'POST', body })).json();
  return typeof response === 'object' && response !== null && 'result' in response ? response.result : response;
}

const node = (method: string, params: unknown) => call(devnet.node, method, params);
const gateway = (method: string, params: unknown) => call(devnet.gateway, method, params);
const rejection = (message: string, code = -32602) => ({ error: { code, message } });

describe('a node', () => {
  it('returns a post and its replies', async () => {
    const content = {
      ...post,
      category: 'hive-100001',
      title: 'About bees',
      body: 'They *fly*.',
      json_metadata: '{"tags":["bees","honey"]}',
      created,
      last_payout: '1970-01-01T00:00:00',
      cashout_time: created.replace('2026-01-01', '2026-01-08'),
      depth: 0,
      children: 2,
      net_rshares: full - 9_950_000_000,
      total_payout_value: '0.000 HBD',
      pending_payout_value: '0.500 HBD',
      max_accepted_payout: '1000000.000 HBD',
      author_reputation: 311_718_750,
      url: '/hive-100001/@alice/a-post',
      net_votes: 0,
      active_votes: [
        { voter: 'bob', percent: -5000, rshares: -9_950_000_000 },
        { voter: 'carol', percent: 10_000, rshares: full },
      ],
    };
    expect(await node('condenser_api.get_content', ['alice', 'a-post'])).toMatchObject(content);
    expect(await gateway('condenser_api.get_content', [post])).toMatchObject(content);
    const expected = {
      ...reply,
      parent_author: 'alice',
      parent_permlink: 'a-post',
      depth: 1,
      root_title: 'About bees',
    };
    expect(await node('condenser_api.get_content_replies', ['alice', 'a-post'])).toMatchObject([
      { ...expected, children: 1, url: '/hive-100001/@alice/a-post#@bob/a-reply' },
    ]);
    expect(await node('condenser_api.get_active_votes', ['bob', 'a-reply'])).toMatchObject([{ voter: 'alice' }]);
    expect(await node('condenser_api.get_content', ['alice', 'none'])).toMatchObject(
      rejection('Assert Exception:Post alice/none does not exist'),
    );
  });

  it('finds comments', async () => {
    const comments = [
      ['alice', 'a-post'],
      ['alice', 'none'],
      ['bob', 'a-reply'],
    ];
    const max_accepted_payout = { amount: '1000000000', precision: 3, nai: '@@000000013' };
    expect(await node('database_api.find_comments', { comments })).toMatchObject({
      comments: [
        { ...post, max_accepted_payout, total_vote_weight: full, abs_rshares: full + 9_950_000_000 },
        { ...reply, root_author: 'alice', root_permlink: 'a-post' },
      ],
    });
  });

  it('returns large numbers in virtual operations as strings', async () => {
    const query = { block_range_begin: 1, block_range_end: devnet.chain.head.number };
    const effect = (value: object) => ({ op: { type: 'effective_comment_vote_operation', value } });
    const hbd = (amount: string) => ({ amount, precision: 3, nai: '@@000000013' });
    expect(await node('account_history_api.enum_virtual_ops', { ...query, filter: 2 ** 22 })).toMatchObject({
      ops: [
        effect({
          voter: 'carol',
          ...post,
          weight: String(full),
          rshares: String(full),
          total_vote_weight: String(full),
          pending_payout: hbd('997'),
        }),
        effect({ voter: 'bob', ...post, weight: 0, rshares: -9_950_000_000, pending_payout: hbd('500') }),
        effect({ voter: 'alice', ...reply }),
      ],
    });
  });

  it('returns reputations', async () => {
    const alice = { account: 'alice', reputation: 311_718_750 };
    const bob = { account: 'bob', reputation: 311_718_750 };
    const params = { account_lower_bound: 'alic', limit: 2 };
    expect(await node('reputation_api.get_account_reputations', params)).toEqual({ reputations: [alice, bob] });
    expect(await node('condenser_api.get_account_reputations', ['bob', 1])).toEqual([bob]);
    expect(await gateway('follow_api.get_account_reputations', ['bob', 1])).toEqual({
      reputations: [{ name: 'bob', reputation: bob.reputation }],
    });
    expect(await node('condenser_api.get_accounts', [['alice', 'carol']])).toMatchObject([
      { reputation: 311_718_750, post_count: 2 },
      { reputation: 0, post_count: 0 },
    ]);
  });

  it('has no bridge methods', async () => {
    expect(await node('bridge.get_post', post)).toMatchObject({
      error: { message: expect.stringContaining('Could not find API bridge') as unknown },
    });
  });
});

describe('a social gateway', () => {
  it('returns a post', async () => {
    expect(await gateway('bridge.get_post', post)).toEqual({
      post_id: 0,
      ...post,
      category: 'hive-100001',
      title: 'About bees',
      body: 'They *fly*.',
      json_metadata: { tags: ['bees', 'honey'] },
      created,
      updated: created,
      depth: 0,
      children: 2,
      net_rshares: 10_000_000_000,
      is_paidout: false,
      payout_at: created.replace('2026-01-01', '2026-01-08'),
      payout: 0.5,
      pending_payout_value: '0.500 HBD',
      author_payout_value: '0.000 HBD',
      curator_payout_value: '0.000 HBD',
      replies: [],
      reblogs: 0,
      author_reputation: 25,
      stats: { hide: false, gray: false, total_votes: 2, flag_weight: 0 },
      url: '/hive-100001/@alice/a-post',
      beneficiaries: [],
      max_accepted_payout: '1000000.000 HBD',
      percent_hbd: 10_000,
      active_votes: [
        { voter: 'bob', rshares: -9_950_000_000 },
        { voter: 'carol', rshares: full },
      ],
      blacklists: [],
    });
  });

  it('returns a discussion', async () => {
    const discussion = {
      'alice/a-post': { replies: ['bob/a-reply'] },
      'bob/a-reply': {
        replies: ['alice/an-reply'],
        title: 'RE: About bees',
        parent_author: 'alice',
        parent_permlink: 'a-post',
      },
      'alice/an-reply': { replies: [], depth: 2 },
    };
    const discussed = await gateway('bridge.get_discussion', ['alice', 'a-post']);
    expect(discussed).toMatchObject(discussion);
    expect(Object.keys(discussed ?? {})).toEqual(Object.keys(discussion));
    expect(await gateway('bridge.get_discussion', { author: 'alice', permlink: 'none' })).toEqual({});
  });

  const names = (posts: unknown) =>
    Array.isArray(posts) ? posts.map(({ permlink }: { permlink: string }) => permlink) : posts;

  it.each<[object, string[]]>([
    [{ sort: 'created' }, ['another-post', 'a-post']],
    [{ sort: 'trending', tag: 'all' }, ['a-post', 'another-post']],
    [{ sort: 'created', tag: 'honey' }, ['another-post', 'a-post']],
    [{ sort: 'created', tag: 'hive-100001' }, ['a-post']],
    [{ sort: 'payout_comments' }, ['a-reply', 'an-reply']],
    [{ sort: 'created', limit: 1 }, ['another-post']],
    [{ sort: 'created', start_author: 'bob', start_permlink: 'another-post' }, ['a-post']],
    [{ sort: 'muted' }, []],
  ])('ranks posts by %j', async (params, expected) => {
    expect(names(await gateway('bridge.get_ranked_posts', params))).toEqual(expected);
  });

  it.each([
    ['posts', 'alice', ['a-post']],
    ['comments', 'alice', ['an-reply']],
    ['replies', 'alice', ['a-reply']],
    ['payout', 'bob', ['a-reply', 'another-post']],
  ])('lists the %s of %s', async (sort, account, expected) => {
    expect(names(await gateway('bridge.get_account_posts', { sort, account }))).toEqual(expected);
  });

  it('returns a profile', async () => {
    expect(await gateway('bridge.get_profile', ['alice'])).toMatchObject({
      name: 'alice',
      post_count: 2,
      reputation: 25,
      stats: { followers: 0 },
      metadata: { profile: { name: 'Alice', about: 'Keeps bees.', website: 'http://bees.example', location: '' } },
    });
  });

  it('reports its progress', async () => {
    const { number, timestamp } = devnet.chain.head;
    expect(await gateway('hive.db_head_state', {})).toMatchObject({
      db_head_block: number,
      db_head_time: timestamp.replace('T', ' '),
    });
  });

  it.each<[string, unknown, string]>([
    ['bridge.get_nothing', {}, 'Assert Exception:unknown method: bridge.get_nothing'],
    ['bridge.get_post', { ...post, x: 1 }, "Assert Exception:got an unexpected keyword argument 'x'"],
    ['bridge.get_post', ['a', 'b', 'c', 'd'], 'Assert Exception:too many positional arguments'],
    ['bridge.get_post', 'alice', 'Assert Exception:invalid params type'],
    ['bridge.get_post', { ...post, author: 7 }, 'Assert Exception:invalid account name type'],
    ['bridge.get_post', { ...post, author: '' }, 'Assert Exception:invalid account (not specified)'],
    ['bridge.get_post', { ...post, author: 'al' }, 'Assert Exception:invalid account name length: `al`'],
    ['bridge.get_post', { ...post, author: 'Alice' }, 'Assert Exception:invalid account char'],
    ['bridge.get_post', { ...post, permlink: '' }, 'Assert Exception:permlink cannot be blank'],
    ['bridge.get_post', { ...post, permlink: 'none' }, 'Assert Exception:Post alice/none does not exist'],
    ['bridge.get_post', { ...post, observer: 'stranger' }, 'Assert Exception:Account stranger does not exist'],
    ['bridge.get_profile', {}, "Assert Exception:missing a required argument: 'account'"],
    ['bridge.get_profile', ['stranger'], 'Assert Exception:Account stranger does not exist'],
    [
      'bridge.get_ranked_posts',
      { sort: 'created', limit: 21 },
      'Assert Exception:limit = 21 outside valid range [1:20]',
    ],
    ['bridge.get_ranked_posts', { sort: 'created', start_author: 'bob' }, 'Assert Exception:Post bob/ does not exist'],
    [
      'bridge.get_account_posts',
      { sort: 'best', account: 'alice' },
      'Assert Exception:Unsupported sort, valid sorts: posts, comments, replies, payout',
    ],
  ])('rejects %s of %j', async (method, params, message) => {
    expect(await gateway(method, params)).toMatchObject(rejection(message));
  });

  it('is not a node', async () => {
    expect(await gateway('block_api.get_block', {})).toMatchObject(rejection('Api not found block_api', -32601));
  });
});

it('a public node serves node and gateway methods at one URL', async () => {
  const open = await Devnet.start({ unsigned: true, nodeKind: 'public' });
  open.post('alice', 'a-post');
  expect(await call(open.node, 'bridge.get_post', post)).toMatchObject(post);
  expect(await call(open.node, 'condenser_api.get_content', post)).toMatchObject(post);
  const properties = { head_block_number: open.chain.head.number };
  expect(await call(open.node, 'database_api.get_dynamic_global_properties', {})).toMatchObject(properties);
  open.node.misbehave({ without: ['bridge'] });
  expect(await call(open.node, 'bridge.get_post', post)).toHaveProperty('error');
  await open.stop();
});

it('a paid-out post includes its payout', async () => {
  const quick = await Devnet.start({ unsigned: true, gateways: 1, payoutSeconds: 9 });
  quick.post('alice', 'a-post');
  quick.vote('bob', post);
  quick.produceBlock();
  const parts = { author_payout_value: '0.499 HBD', curator_payout_value: '0.498 HBD' };
  expect(await call(quick.gateway, 'bridge.get_post', post)).toMatchObject({
    is_paidout: true,
    payout: 0.997,
    pending_payout_value: '0.000 HBD',
    ...parts,
  });
  expect(await call(quick.node, 'condenser_api.get_content', post)).toMatchObject({
    total_payout_value: '0.499 HBD',
    curator_payout_value: '0.498 HBD',
    cashout_time: '1969-12-31T23:59:59',
    net_rshares: 0,
  });
  await quick.stop();
});
