import { differencesFromReadme, documentedMetrics, type TestDatabase, until } from '@waggle/testing';
import { GatewayUnderTest, type HttpResponse, routesHead } from '../support/gateway-under-test';
import { freshDatabase } from '../support/index-under-test';
import { hang, rpcError, ScriptedNode } from '../support/scripted-node';

const routes = `${routesHead}
  bridge: { timeout: 10s }
  bridge.get_trending_topics: { stale: 1m, timeout: 500ms }
  bridge.get_discussion: { timeout: 500ms }
  database_api.get_config: { cache: 1h }
  transaction_status_api: { cache: none }
  block_api.get_block: { cache: irreversible(block_num) }
`;

let database: TestDatabase;
let node: ScriptedNode;
let gateway: GatewayUnderTest;
let responses = 0;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  node = await ScriptedNode.start();
  node.script = ({ params }) => ({ number: (responses += 1), params });
  gateway = await GatewayUnderTest.start([node.url], { routes, database, index: 'none' });
});
afterEach(async () => {
  await gateway.stop();
  await node.stop();
});

const cacheOf = ({ headers }: HttpResponse) => headers['x-gateway-cache'];
const resultOf = ({ json }: HttpResponse) => (json as { result: unknown }).result;

/** Adds a block, and waits until the gateway sees it. */
async function nextBlock(): Promise<void> {
  node.head += 1;
  const polls = node.headCalls;
  // The poll may have been in flight before the block.
  await until(() => node.headCalls >= polls + 2);
}

describe('a response that depends on the head block', () => {
  it('is cached until the next block', async () => {
    const first = await gateway.call('bridge.get_post', ['a']);
    const second = await gateway.call('bridge.get_post', ['a']);
    expect([first, second].map(cacheOf)).toEqual(['miss', 'hit']);
    expect([first, second].map(({ headers }) => headers['x-gateway-attempts'])).toEqual(['1', '0']);
    expect(resultOf(second)).toEqual(resultOf(first));
    // At most a block interval.
    expect([first.headers['age'], second.headers['age']]).toEqual([undefined, expect.stringMatching(/^[0-2]$/)]);
    await nextBlock();
    const third = await gateway.call('bridge.get_post', ['a']);
    expect(cacheOf(third)).toBe('miss');
    expect(resultOf(third)).not.toEqual(resultOf(first));
  });

  it('is cached for at most a block interval, even without a next block', async () => {
    const startMs = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(startMs);
    try {
      await gateway.call('bridge.get_post', ['a']);
      clock.mockReturnValue(startMs + 2_999);
      const last = await gateway.call('bridge.get_post', ['a']);
      expect([cacheOf(last), last.headers['age']]).toEqual(['hit', '2']);
      clock.mockReturnValue(startMs + 3_000);
      expect(cacheOf(await gateway.call('bridge.get_post', ['a']))).toBe('miss');
    } finally {
      clock.mockRestore();
    }
  });

  it('is cached again after a node has corrected a head that was far ahead', async () => {
    const { head } = node;
    node.head = 1_000_000_000;
    const isSeen = (block: number) => until(async () => (await gateway.get('/metrics')).text.includes(`} ${block}\n`));
    await isSeen(node.head);
    node.head = head;
    await isSeen(head);
    await until(async () => cacheOf(await gateway.call('bridge.get_post', ['a'])) === 'hit');
  });

  it('is not cached while the head is unknown', async () => {
    const silent = await ScriptedNode.start();
    silent.headScript = () => rpcError(-32601, 'Method not found');
    const blind = await GatewayUnderTest.start([silent.url], { routes, database, index: 'none' });
    const outcomes = [await blind.call('bridge.get_post'), await blind.call('bridge.get_post')].map(cacheOf);
    await blind.stop();
    await silent.stop();
    expect(outcomes).toEqual(['miss', 'miss']);
  });
});

it('serves calls with the same method and parameters from one cached response, whatever their ids', async () => {
  const read = async (id: unknown, method: string, params?: unknown, path = '/rpc') => {
    const response = await gateway.post(path, { jsonrpc: '2.0', id, method, params });
    return [cacheOf(response), (response.json as { id: unknown }).id];
  };
  expect(await read(1, 'bridge.get_post', { author: 'a', permlink: 'b' })).toEqual(['miss', 1]);
  expect(await read('x', 'bridge.get_post', { author: 'a', permlink: 'b' })).toEqual(['hit', 'x']);
  expect(await read(2, 'bridge.get_post', { author: 'a', permlink: 'b' }, '/rpc/home')).toEqual(['hit', '2']);
  expect(await read(3, 'call', ['bridge', 'get_post', { author: 'a', permlink: 'b' }])).toEqual(['hit', 3]);
  expect(await read(4, 'bridge.get_post', { author: 'a', permlink: 'c' })).toEqual(['miss', 4]);
  expect(await read(5, 'bridge.get_post', ['a', 'b'])).toEqual(['miss', 5]);
  expect(await read(6, 'bridge.get_posts', { author: 'a', permlink: 'b' })).toEqual(['miss', 6]);
  expect(await read(7, 'bridge.get_post')).toEqual(['miss', 7]);
  const withProto = `{"jsonrpc":"2.0","id":8,"method":"bridge.get_post","params":{"__proto__":{"author":"a"}}}`;
  expect(cacheOf(await gateway.post('/rpc', withProto))).toBe('miss');
  expect(cacheOf(await gateway.post('/rpc', withProto.replace('"a"', '"b"')))).toBe('miss');
});

it('caches irreversible blocks beyond the next block, but not reversible ones', async () => {
  const readAll = () =>
    Promise.all([
      gateway.call('database_api.get_config'),
      gateway.call('block_api.get_block', { block_num: 980 }),
      gateway.call('block_api.get_block', { block_num: 981 }),
      gateway.call('transaction_status_api.find_transaction', ['a']),
    ]);
  expect((await readAll()).map(cacheOf)).toEqual(['miss', 'miss', 'miss', 'bypass']);
  await nextBlock();
  expect((await readAll()).map(cacheOf)).toEqual(['hit', 'hit', 'miss', 'bypass']);
  // In the next second the age is no longer 0.
  await until(async () => Number((await gateway.call('database_api.get_config')).headers['age']) >= 1);
});

it.each([
  ['null', () => null],
  ['an error', () => rpcError(-32003, 'Assert Exception:no such post')],
  ['trouble', () => rpcError(-32603, 'Internal error')],
])('does not cache %s', async (_what, script) => {
  node.script = script;
  for (const method of ['bridge.get_post', 'database_api.get_config', 'block_api.get_block']) {
    await gateway.call(method, { block_num: 1 });
    expect(cacheOf(await gateway.call(method, { block_num: 1 }))).toBe('miss');
  }
  expect(node.calls).toHaveLength(6);
});

it('serves a stale response if all nodes fail and the route allows it', async () => {
  for (const method of ['bridge.get_trending_topics', 'bridge.get_discussion']) {
    await until(async () => cacheOf(await gateway.call(method)) === 'hit');
  }
  const first = await gateway.call('bridge.get_trending_topics');
  await nextBlock();
  node.script = () => hang;
  const stale = await gateway.call('bridge.get_trending_topics');
  expect([cacheOf(stale), resultOf(stale)]).toEqual(['stale', resultOf(first)]);
  expect(Number(stale.headers['x-gateway-attempts'])).toBeGreaterThan(0);
  expect(stale.headers['age']).toMatch(/^\d$/);
  expect((await gateway.call('bridge.get_discussion')).json).toMatchObject({ error: { data: { kind: 'timeout' } } });
});

it('stays within its memory limit', async () => {
  const cache = { maxBytes: 1024 * 1024 };
  const small = await GatewayUnderTest.start([node.url], { routes, cache, database, index: 'none' });
  node.script = () => 'x'.repeat(20_000);
  for (let batch = 0; batch < 10; batch += 1) {
    const calls = Array.from({ length: 20 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'database_api.get_config',
      params: [batch, id],
    }));
    await small.post('/rpc', calls);
  }
  const { text: metrics } = await small.get('/metrics');
  const bytes = /^rpc_gateway_cached_bytes (\d+)$/m.exec(metrics)?.[1];
  expect(differencesFromReadme(metrics, documentedMetrics('rpc-gateway'), 'API')).toEqual([]);
  await small.stop();
  expect(Number(bytes)).toBeGreaterThan(500_000);
  expect(Number(bytes)).toBeLessThanOrEqual(1024 * 1024);
});
