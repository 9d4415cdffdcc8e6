import { botHeaders, siteAndBot, type TestDatabase, until } from '@waggle/testing';
import { GatewayUnderTest, routesHead } from '../support/gateway-under-test';
import { freshDatabase } from '../support/index-under-test';
import { Raw, ScriptedNode } from '../support/scripted-node';

const megabyte = 1024 * 1024;
const routes = `${routesHead}
  bridge: { timeout: 60s, hedge: none }
  network_broadcast_api: { cache: none, timeout: 60s }
`;

let database: TestDatabase;
let node: ScriptedNode;
let gateway: GatewayUnderTest;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  node = await ScriptedNode.start();
});
afterEach(async () => {
  await gateway.stop();
  await node.stop();
});

const call = (id: number, params: unknown = [id]) => ({ jsonrpc: '2.0', id, method: 'bridge.get_post', params });
const tooLong = { code: -32005, message: 'The responses together are too long', data: { kind: 'too-long' } };

describe('responses that exceed the limit of a request', () => {
  /** Complete pending responses of a megabyte. */
  let pending: (() => void)[];
  beforeEach(async () => {
    pending = [];
    gateway = await GatewayUnderTest.start([node.url], {
      routes,
      maxResponseBytes: 3.5 * megabyte,
      database,
      index: 'none',
    });
    node.script = () =>
      new Raw((response, { id }) => {
        pending.push(() => response.end(JSON.stringify({ jsonrpc: '2.0', result: 'x'.repeat(megabyte), id })));
      });
  });

  it('become errors, while those that fit are sent, and no node is called again', async () => {
    const pendingResponse = gateway.post(
      '/rpc',
      Array.from({ length: 8 }, (_, id) => call(id)),
    );
    for (let id = 0; id < 8; id += 1) {
      await until(() => pending.length > id);
      pending[id]?.();
    }
    const { status, json } = await pendingResponse;
    const items = json as { id: number; result?: string; error?: unknown }[];
    const rejected = items.filter(({ error }) => error !== undefined);
    expect([status, items.map(({ id }) => id)]).toEqual([200, [0, 1, 2, 3, 4, 5, 6, 7]]);
    expect(rejected.map(({ error }) => error)).toEqual(Array(rejected.length).fill(tooLong));
    expect(rejected.length).toBeGreaterThanOrEqual(5);
    expect(rejected.length).toBeLessThan(8);
    expect(node.calls).toHaveLength(8);
    expect(await gateway.get('/metrics')).toMatchObject({ text: expect.stringContaining('outcome="too-long"') });
  });

  it('count even if they are cached', async () => {
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

  it('count in bytes rather than characters', async () => {
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

  it('are always sent for writes', async () => {
    node.script = () => 'x'.repeat(megabyte);
    for (let id = 0; id < 4; id += 1) await gateway.post('/rpc', call(id));
    const write = { jsonrpc: '2.0', id: 4, method: 'network_broadcast_api.broadcast_transaction', params: { a: 1 } };
    const { json } = await gateway.post('/rpc', [...[0, 1, 2, 3].map((id) => call(id)), write]);
    const responses = json as { id: number; error?: unknown }[];
    expect(responses[4]).toMatchObject({ id: 4, result: expect.any(String) });
    // Which one depends on the order of completion, if the cached responses have expired meanwhile.
    expect(responses.flatMap(({ error }) => error ?? [])).toEqual([tooLong]);
    expect(node.callsOf(write.method)).toBe(1);
  });

  it('do not abort a read that another request waits for', async () => {
    const batch = gateway.post(
      '/rpc',
      [0, 1, 2, 3].map((id) => call(id)),
    );
    await until(() => pending.length === 4);
    const other = gateway.post('/rpc', call(3));
    for (const respond of pending.slice(0, 3)) respond();
    await until(async () => (await gateway.get('/metrics')).text.includes('outcome="result"} 3'));
    pending[3]?.();
    await until(() => pending.length === 5);
    pending[4]?.();
    expect((await other).json).toMatchObject({ id: 3, result: expect.any(String) });
    expect((await batch).json).toMatchObject([{ id: 0 }, { id: 1 }, { id: 2 }, { id: 3, error: tooLong }]);
  });
});

it('gives a named client its own limits, by its address or token', async () => {
  const namedClients = siteAndBot('calls-per-minute', '127.0.0.0/8');
  gateway = await GatewayUnderTest.start([node.url], {
    routes,
    callsPerMinute: 1,
    namedClients,
    database,
    index: 'none',
  });
  const statuses: number[] = [];
  for (let id = 0; id < 4; id += 1) statuses.push((await gateway.post('/rpc', call(id))).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  for (const status of [200, 200, 429]) expect((await gateway.post('/rpc', call(4), botHeaders)).status).toBe(status);
  expect((await gateway.post('/rpc', call(5))).json).toMatchObject({ error: { data: { limit: 'calls-per-minute' } } });
});

it('limits the calls in flight of an address', async () => {
  gateway = await GatewayUnderTest.start([node.url], { routes, callsAtOnce: 50, database, index: 'none' });
  const pending: (() => void)[] = [];
  node.script = () =>
    new Promise((resolve) => {
      pending.push(() => {
        resolve('done');
      });
    });
  const batch = gateway.post(
    '/rpc',
    Array.from({ length: 50 }, (_, id) => call(id)),
  );
  await until(() => pending.length === 50);
  const rejected = await gateway.post('/rpc', call(50));
  expect([rejected.status, rejected.headers['retry-after'], rejected.json]).toEqual([
    429,
    '1',
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32005, message: 'Too many calls from this address', data: { limit: 'calls-at-once' } },
    },
  ]);
  for (const respond of pending) respond();
  await batch;
  node.script = () => 'done';
  expect((await gateway.post('/rpc', call(50))).json).toMatchObject({ result: 'done' });
});

it('limits the calls of an address per minute, counting each call of an accepted batch', async () => {
  gateway = await GatewayUnderTest.start([node.url], { routes, callsPerMinute: 5, database, index: 'none' });
  const batchOf = (size: number) => Array.from({ length: size }, (_, id) => call(id));
  expect((await gateway.post('/rpc', batchOf(3))).status).toBe(200);
  expect((await gateway.post('/rpc', batchOf(3))).status).toBe(429);
  // The rejected batch counts as one call.
  expect((await gateway.post('/rpc', call(1))).status).toBe(200);
  expect((await gateway.post('/rpc', call(1))).status).toBe(429);
});

it('counts the bytes of bodies as calls, before it decodes them', async () => {
  gateway = await GatewayUnderTest.start([node.url], { routes, callsPerMinute: 1_050, database, index: 'none' });
  const body = JSON.stringify(call(1, ['x'.repeat(megabyte - 1_000)]));
  // 1,024 calls: 1,023 times 1 KiB, and its only call.
  expect((await gateway.post('/rpc', body)).status).toBe(200);
  const decoded = jest.spyOn(JSON, 'parse');
  try {
    const { status, headers, text } = await gateway.post('/rpc', body);
    expect([status, text]).toEqual([429, expect.stringContaining('Too many calls from this address')]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(decoded).not.toHaveBeenCalledWith(body);
  } finally {
    decoded.mockRestore();
  }
});

it('limits the other requests of an address, except for health checks and metrics', async () => {
  gateway = await GatewayUnderTest.start([node.url], { routes, requestsPerMinute: 2, database, index: 'none' });
  const statusOf = async (path: string) => (await gateway.get(path)).status;
  expect([await statusOf('/index/digest?block=1'), await statusOf('/events')]).toEqual([404, 400]);
  const rejected = await fetch(`${gateway.url}/events?accounts=alice`);
  expect([rejected.status, await rejected.json()]).toEqual([429, expect.objectContaining({ code: 'rate-limited' })]);
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  expect([await statusOf('/index/digest?block=1'), await statusOf('/metrics'), await statusOf('/health/live')]).toEqual(
    [429, 200, 200],
  );
  expect((await gateway.post('/rpc', call(1))).status).toBe(200);
});
