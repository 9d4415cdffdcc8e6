import { until } from '@waggle/testing';
import { GatewayUnderTest, routesHead } from './gateway-under-test';
import { Raw, ScriptedNode } from './scripted-node';

const megabyte = 1024 * 1024;
const routes = `${routesHead}
  bridge: { timeout: 5s, hedge: none }
  network_broadcast_api: { cache: none, timeout: 5s }
`;

let node: ScriptedNode;
let gateway: GatewayUnderTest;
beforeEach(async () => {
  node = await ScriptedNode.start();
});
afterEach(async () => {
  await gateway.stop();
  await node.stop();
});

const call = (id: number, params: unknown = [id]) => ({ jsonrpc: '2.0', id, method: 'bridge.get_post', params });
const tooLong = { code: -32005, message: 'The answers are too long together', data: { kind: 'too-long' } };

describe('answers that are too long together', () => {
  /** Texts of a megabyte, each when the test says so. */
  let waiting: (() => void)[];
  beforeEach(async () => {
    waiting = [];
    gateway = await GatewayUnderTest.start([node.url], { routes, maxResponseBytes: 3.5 * megabyte });
    node.script = () =>
      new Raw((response, { id }) => {
        waiting.push(() => response.end(JSON.stringify({ jsonrpc: '2.0', result: 'x'.repeat(megabyte), id })));
      });
  });

  it('have an error each, while those that fit are told, and no node is asked again', async () => {
    const answer = gateway.post(
      '/rpc',
      Array.from({ length: 8 }, (_, id) => call(id)),
    );
    for (let id = 0; id < 8; id += 1) {
      await until(() => waiting.length > id);
      waiting[id]?.();
    }
    const { status, json } = await answer;
    const items = json as { id: number; result?: string; error?: unknown }[];
    const refused = items.filter(({ error }) => error !== undefined);
    expect([status, items.map(({ id }) => id)]).toEqual([200, [0, 1, 2, 3, 4, 5, 6, 7]]);
    expect(refused.map(({ error }) => error)).toEqual(Array(refused.length).fill(tooLong));
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(refused.length).toBeLessThan(8);
    expect(node.calls).toHaveLength(8);
    expect(await gateway.get('/metrics')).toMatchObject({ text: expect.stringContaining('outcome="too-long"') });
  });

  it('count where they were kept', async () => {
    node.script = () => 'x'.repeat(megabyte);
    for (let id = 0; id < 4; id += 1) await gateway.post('/rpc', call(id));
    const { json } = await gateway.post(
      '/rpc',
      [0, 1, 2, 3].map((id) => call(id)),
    );
    expect(json).toMatchObject([{ id: 0 }, { id: 1 }, { id: 2 }, { id: 3, error: tooLong }]);
    const { text } = await gateway.get('/metrics');
    expect(text).toContain('{route="bridge",cache="hit",outcome="too-long"} 1');
  });

  it('count in bytes', async () => {
    node.script = () => 'я'.repeat(megabyte);
    for (let id = 0; id < 2; id += 1) await gateway.post('/rpc', call(id));
    const { json } = await gateway.post(
      '/rpc',
      [0, 1].map((id) => call(id)),
    );
    expect(json).toMatchObject([
      { id: 0, result: expect.any(String) },
      { id: 1, error: tooLong },
    ]);
  });

  it('are told in any case where a node has taken a write', async () => {
    node.script = () => 'x'.repeat(megabyte);
    for (let id = 0; id < 4; id += 1) await gateway.post('/rpc', call(id));
    const write = { jsonrpc: '2.0', id: 4, method: 'network_broadcast_api.broadcast_transaction', params: { a: 1 } };
    const { json } = await gateway.post('/rpc', [...[0, 1, 2, 3].map((id) => call(id)), write]);
    expect(json).toMatchObject([{}, {}, {}, { error: tooLong }, { id: 4, result: expect.any(String) }]);
    expect(node.callsOf(write.method)).toBe(1);
  });

  it('do not end a read that another request waits for', async () => {
    const batch = gateway.post(
      '/rpc',
      [0, 1, 2, 3].map((id) => call(id)),
    );
    await until(() => waiting.length === 4);
    const other = gateway.post('/rpc', call(3));
    for (const answerIt of waiting.slice(0, 3)) answerIt();
    await until(async () => (await gateway.get('/metrics')).text.includes('outcome="result"} 3'));
    waiting[3]?.();
    await until(() => waiting.length === 5);
    waiting[4]?.();
    expect((await other).json).toMatchObject({ id: 3, result: expect.any(String) });
    expect((await batch).json).toMatchObject([{ id: 0 }, { id: 1 }, { id: 2 }, { id: 3, error: tooLong }]);
  });
});

it('an address has only so many calls under way', async () => {
  gateway = await GatewayUnderTest.start([node.url], { routes, callsAtOnce: 50 });
  const answers: (() => void)[] = [];
  node.script = () =>
    new Promise((resolve) => {
      answers.push(() => {
        resolve('done');
      });
    });
  const batch = gateway.post(
    '/rpc',
    Array.from({ length: 50 }, (_, id) => call(id)),
  );
  await until(() => answers.length === 50);
  const refused = await gateway.post('/rpc', call(50));
  expect([refused.status, refused.headers['retry-after'], refused.json]).toEqual([
    429,
    '1',
    { jsonrpc: '2.0', id: null, error: { code: -32005, message: 'Too many calls from this address' } },
  ]);
  for (const answerIt of answers) answerIt();
  await batch;
  node.script = () => 'done';
  expect((await gateway.post('/rpc', call(50))).json).toMatchObject({ result: 'done' });
});
