import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { includeSociety } from '@waggle/testing';
import { z } from 'zod';
import { localMethodNames } from '../src/local/local-methods';
import { WholeWay } from './whole-way';

const bees = 'hive-100001';
const post = { author: 'alice', permlink: 'the-first-swarm' };

/** A call of every local method, in the words of applications, whose answer is not empty. */
const localCalls: Record<string, unknown> = {
  'bridge.account_notifications': { account: 'alice', limit: 50 },
  'bridge.unread_notifications': { account: 'alice' },
  'bridge.post_notifications': { ...post, min_score: 0 },
  'bridge.get_relationship_between_accounts': ['bob', 'alice'],
  'bridge.get_follow_list': { observer: 'bob', follow_type: 'blacklisted' },
  'bridge.does_user_follow_any_lists': { observer: 'bob' },
  'bridge.get_community': { name: bees, observer: 'alice' },
  'bridge.get_community_context': { name: bees, account: 'alice' },
  'bridge.list_communities': { limit: 5 },
  'bridge.list_community_roles': { community: bees },
  'bridge.list_subscribers': { community: bees },
  'bridge.list_all_subscriptions': { account: 'bob' },
  'condenser_api.get_followers': ['alice', null, 'blog', 10],
  'condenser_api.get_following': ['bob', null, 'blog', 10],
  'condenser_api.get_follow_count': ['alice'],
  'condenser_api.get_reblogged_by': [post.author, post.permlink],
  'follow_api.get_followers': { account: 'alice', start: null, type: 'blog', limit: 10 },
  'follow_api.get_following': { account: 'bob', start: null, type: 'blog', limit: 10 },
  'follow_api.get_follow_count': { account: 'alice' },
  'follow_api.get_reblogged_by': post,
  'rpc.discover': [],
};

/** Some that go to a node. */
const upstreamCalls: Record<string, unknown> = {
  'condenser_api.get_accounts': [['alice', 'bob']],
  'condenser_api.get_dynamic_global_properties': [],
  'condenser_api.get_block': [2],
  'database_api.find_accounts': { accounts: ['alice'] },
  'block_api.get_block': { block_num: 3 },
  'bridge.get_post': post,
};

const calls = Object.entries({ ...localCalls, ...upstreamCalls }).map(([method, params]) => ({ method, params }));
/** What a Hive API would say of it, word for word. */
const refused = { method: 'bridge.account_notifications', params: { account: 'nobody-here' } };
const refusal = 'Assert Exception:Account nobody-here does not exist';

const answerList = z.array(z.object({ result: z.unknown().optional(), error: z.string().optional() }));

/** The libraries that applications use, unmodified; hive-js compares the id strictly, so it is for `/rpc` alone. */
describe.each([
  ['dhive', '/rpc'],
  ['dhive', '/rpc/home'],
  ['hive-js', '/rpc'],
  ['wax', '/rpc'],
  ['wax', '/rpc/home'],
])('%s at %s', (library, endpoint) => {
  let answers: z.infer<typeof answerList>;

  beforeAll(async () => {
    answers = await askBy(library, `${way.gateway.url}${endpoint}`, [...calls, refused]);
  });

  it('has a call for every local method', () => {
    expect(Object.keys(localCalls).toSorted()).toEqual([...localMethodNames].toSorted());
  });

  it.each(calls.map(({ method }, place) => [method, place] as const))('is answered %s', async (_method, place) => {
    const { method, params } = calls[place] ?? refused;
    const { json } = await way.gateway.call(method, params);
    const { result } = z.object({ result: z.unknown() }).parse(json);
    expect(answers[place]).toEqual({ result });
    expect([null, undefined, [], {}, false]).not.toContainEqual(result);
  });

  it('is told what is wrong', () => {
    // Of every error with this code, hive-js makes an empty list by itself.
    const told = library === 'hive-js' ? { result: expect.stringContaining('"result":[]') } : { error: refusal };
    expect(answers.at(-1)).toEqual(told);
  });
});

let way: WholeWay;

beforeAll(async () => {
  way = await WholeWay.start({ unsigned: true, personality: 'public' });
  includeSociety(way.devnet.chain);
  const listed = { follower: 'bob', following: 'dave' };
  way.devnet.customJson('bob', 'follow', ['follow', { ...listed, what: ['blacklist'] }]);
  way.devnet.customJson('bob', 'follow', ['follow', { ...listed, following: 'carol', what: ['follow_blacklist'] }]);
  await way.indexed();
});
afterAll(() => way.stop());

async function askBy(library: string, url: string, asked: readonly object[]) {
  const child = spawn(process.execPath, [path.join(__dirname, 'client-library.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ library, url, calls: asked }));
  return answerList.parse(JSON.parse(await text(child.stdout)));
}
