import { differencesFromReadme, documentedMetrics, until } from '@waggle/testing';
import { GatewayUnderTest, type HttpAnswer, routesHead } from './gateway-under-test';
import { hang, rpcError, ScriptedNode } from './scripted-node';

const routes = `${routesHead}
  bridge: { timeout: 10s }
  bridge.get_trending_topics: { stale: 1m, timeout: 500ms }
  bridge.get_discussion: { timeout: 500ms }
  database_api.get_config: { cache: 1h }
  transaction_status_api: { cache: none }
  block_api.get_block: { cache: irreversible(block_num) }
`;

let node: ScriptedNode;
let gateway: GatewayUnderTest;
let answers = 0;

beforeEach(async () => {
  node = await ScriptedNode.start();
  node.script = ({ params }) => ({ number: (answers += 1), params });
  gateway = await GatewayUnderTest.start([node.url], { routes });
});
afterEach(async () => {
  await gateway.stop();
  await node.stop();
});

const cacheOf = ({ headers }: HttpAnswer) => headers['x-gateway-cache'];
const resultOf = ({ json }: HttpAnswer) => (json as { result: unknown }).result;

/** A block comes, and the gateway has seen it. */
async function nextBlock(): Promise<void> {
  node.head += 1;
  const looks = node.headCalls;
  // That look may have been on its way before the block.
  await until(() => node.headCalls >= looks + 2);
}

describe('what depends on the head block', () => {
  it('is kept until the next one', async () => {
    const first = await gateway.call('bridge.get_post', ['a']);
    const second = await gateway.call('bridge.get_post', ['a']);
    expect([first, second].map(cacheOf)).toEqual(['miss', 'hit']);
    expect([first, second].map(({ headers }) => headers['x-gateway-attempts'])).toEqual(['1', '0']);
    expect(resultOf(second)).toEqual(resultOf(first));
    // No longer than a block takes.
    expect([first.headers['age'], second.headers['age']]).toEqual([undefined, expect.stringMatching(/^[0-2]$/)]);
    await nextBlock();
    const third = await gateway.call('bridge.get_post', ['a']);
    expect(cacheOf(third)).toBe('miss');
    expect(resultOf(third)).not.toEqual(resultOf(first));
  });

  it('is not kept longer than a block takes, though no other comes', async () => {
    await gateway.call('bridge.get_post', ['a']);
    const ages: number[] = [];
    await until(async () => {
      const answer = await gateway.call('bridge.get_post', ['a']);
      ages.push(Number(answer.headers['age'] ?? 0));
      return cacheOf(answer) === 'miss';
    });
    expect(Math.max(...ages)).toBeLessThan(3);
  });

  it('is kept again when a node that told of a block far ahead has taken it back', async () => {
    const { head } = node;
    node.head = 1_000_000_000;
    const isSeen = (block: number) => until(async () => (await gateway.get('/metrics')).text.includes(`} ${block}\n`));
    await isSeen(node.head);
    node.head = head;
    await isSeen(head);
    await until(async () => cacheOf(await gateway.call('bridge.get_post', ['a'])) === 'hit');
  });

  it('is not kept while nobody says which that is', async () => {
    const silent = await ScriptedNode.start();
    silent.ofHead = () => rpcError(-32601, 'Method not found');
    const blind = await GatewayUnderTest.start([silent.url], { routes });
    const outcomes = [await blind.call('bridge.get_post'), await blind.call('bridge.get_post')].map(cacheOf);
    await blind.stop();
    await silent.stop();
    expect(outcomes).toEqual(['miss', 'miss']);
  });
});

it('is one answer for each method and parameters, whoever asks under which id', async () => {
  const read = async (id: unknown, method: string, params?: unknown, path = '/rpc') => {
    const answer = await gateway.post(path, { jsonrpc: '2.0', id, method, params });
    return [cacheOf(answer), (answer.json as { id: unknown }).id];
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

it('what is true for good is kept beyond the next block, what may change is not', async () => {
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
  // What is kept in another second says so.
  await until(async () => Number((await gateway.call('database_api.get_config')).headers['age']) >= 1);
});

it.each([
  ['null', () => null],
  ['an error', () => rpcError(-32003, 'Assert Exception:no such post')],
  ['trouble', () => rpcError(-32603, 'Internal error')],
])('%s is not kept', async (_what, script) => {
  node.script = script;
  for (const method of ['bridge.get_post', 'database_api.get_config', 'block_api.get_block']) {
    await gateway.call(method, { block_num: 1 });
    expect(cacheOf(await gateway.call(method, { block_num: 1 }))).toBe('miss');
  }
  expect(node.calls).toHaveLength(6);
});

it('an answer past its time is given where no node has one, and the route says so', async () => {
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

it('takes no more memory than it may', async () => {
  const small = await GatewayUnderTest.start([node.url], { routes, cache: { maxBytes: 1024 * 1024 } });
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
  const kept = /^rpc_gateway_kept_bytes (\d+)$/m.exec(metrics)?.[1];
  expect(differencesFromReadme(metrics, documentedMetrics('rpc-gateway'), 'API')).toEqual([]);
  await small.stop();
  expect(Number(kept)).toBeGreaterThan(500_000);
  expect(Number(kept)).toBeLessThanOrEqual(1024 * 1024);
});
