import { GatewayUnderTest, routesHead } from '../support/gateway-under-test';
import { hang, ScriptedNode } from '../support/scripted-node';

const routes = `${routesHead}
  bridge:
  bridge.account_notifications: { to: local }
  slow: { timeout: 300ms, retries: 0, hedge: none }
  condenser_api.get_accounts:
`;

let node: ScriptedNode;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  node = await ScriptedNode.start();
  node.script = (call) => (call.method.startsWith('slow') ? hang : { method: call.method, params: call.params });
  gateway = await GatewayUnderTest.start([node.url], { routes });
});
afterAll(async () => {
  await gateway.stop();
  await node.stop();
});

const call = (id: unknown, method = 'bridge.get_post', params: unknown = { author: 'alice' }) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const result = { method: 'bridge.get_post', params: { author: 'alice' } };
const invalid = (id: unknown = null) => ({ jsonrpc: '2.0', id, error: expect.objectContaining({ code: -32600 }) });

describe('a call', () => {
  it.each([1, 0, -1, 1.5, 9_007_199_254_740_991, '1', '', 'ünï "x"', null])(
    'with id %j gets the same id at /rpc',
    async (id) => {
      const { status, headers, json } = await gateway.post('/rpc', call(id));
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(json).toEqual({ jsonrpc: '2.0', id, result });
    },
  );

  it.each([
    [1, '1'],
    [1.5, '1.5'],
    ['a', 'a'],
    [null, null],
  ])('with id %j gets it as the string %j at /rpc/home', async (id, text) => {
    expect((await gateway.post('/rpc/home', call(id))).json).toEqual({ jsonrpc: '2.0', id: text, result });
  });

  it('preserves the digits of an id and of parameters that JavaScript would round', async () => {
    const big = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"bridge.a","params":[18446744073709551615]}';
    const { text } = await gateway.post('/rpc', big);
    expect(text).toContain('"id":12345678901234567890');
    // The node of this test rounds, but it received a number.
    expect(node.calls.at(-1)?.params).toEqual([18446744073709552000]);
  });

  it.each(['1.0', '1.50', '-0', '1e2', '0.10', '[1.0]'])('with id %s gets it unchanged at /rpc', async (id) => {
    const { text } = await gateway.post('/rpc', `{"jsonrpc":"2.0","id":${id},"method":"bridge.a"}`);
    expect(text).toMatch(id.startsWith('[') ? /"id":null/ : `"id":${id}}`);
  });

  it('with an unsupported encoding is rejected with 415', async () => {
    const { status, headers, json } = await gateway.post('/rpc', call(1), { 'content-encoding': 'gzip' });
    expect([status, headers['accept-encoding'], json]).toEqual([415, 'identity', invalid()]);
    expect((await gateway.post('/rpc', call(1), { 'content-encoding': 'identity' })).json).toMatchObject({ id: 1 });
  });

  it('that is not UTF-8 is a parse error', async () => {
    const body = Buffer.from(JSON.stringify(call(1, 'bridge.get_post', ['\u00e9'])), 'latin1');
    const response = await fetch(`${gateway.url}/rpc`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32700 } });
    const split = Buffer.from(JSON.stringify(call(1, 'bridge.get_post', ['é'.repeat(50_000)])));
    expect(await (await fetch(`${gateway.url}/rpc`, { method: 'POST', body: split })).json()).toMatchObject({ id: 1 });
  });

  it('gets a short error if a name is too long', async () => {
    const { text } = await gateway.call('bridge.account_notifications', { account: 'x'.repeat(500_000) });
    expect(JSON.parse(text)).toMatchObject({ error: { message: 'Assert Exception:invalid account name length' } });
    expect(text.length).toBeLessThan(1_000);
  });

  it('is logged at debug level, without its parameters', async () => {
    const before = gateway.logLines.length;
    await gateway.post('/rpc', [call(1, 'bridge.logged', ['a secret']), call(2, 'nowhere.x')]);
    const lines = gateway.logLines.slice(before).filter((line) => line.includes('"msg":"call"'));
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { level: 'debug', method: 'nowhere.x', route: 'none', outcome: 'rejected' },
      { level: 'debug', method: 'bridge.logged', route: 'bridge', cache: 'miss', attempts: 1, outcome: 'result' },
    ]);
    expect(lines.join()).not.toContain('a secret');
  });

  it('may have any content type', async () => {
    for (const type of ['text/plain;charset=UTF-8', 'application/json-rpc', 'application/x-www-form-urlencoded'])
      expect((await gateway.post('/rpc', call(1), { 'content-type': type })).json).toMatchObject({ result });
  });

  it('of `call` is routed as the method that it names, with parameters in any form', async () => {
    for (const params of [{ author: 'alice' }, ['alice']])
      expect((await gateway.call('call', ['bridge', 'get_post', params])).json).toMatchObject({
        result: { method: 'bridge.get_post', params },
      });
    expect((await gateway.call('call', ['bridge', 'get_post'])).json).toMatchObject({
      result: { method: 'bridge.get_post' },
    });
  });

  it.each([
    ['brigde.get_post', -32601, 'Api not found brigde'],
    ['condenser_api.get_post', -32602, 'Assert Exception:unknown method: condenser_api.get_post'],
    ['__proto__.x', -32601, 'Api not found __proto__'],
    ['toString', -32601, 'Api not found toString'],
    ['local', -32601, 'Api not found local'],
  ])('of %s is rejected', async (method, code, message) => {
    const { status, headers, json } = await gateway.call(method);
    expect([status, json]).toEqual([200, { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ code, message }) }]);
    expect(headers).toMatchObject({ 'x-gateway-cache': 'bypass', 'x-gateway-attempts': '0' });
  });

  it('of another version is rejected', async () => {
    expect((await gateway.post('/rpc', { ...call(7), jsonrpc: '1.0' })).json).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32600, message: 'Invalid JSON-RPC' },
    });
  });

  it.each(['', '{', 'null x', 'alice', '{"jsonrpc": "2.0", "method'])(
    'that is not JSON (%j) is rejected',
    async (body) => {
      const { status, json } = await gateway.post('/rpc', body);
      expect([status, json]).toEqual([
        200,
        { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
      ]);
    },
  );

  it.each([true, [1], { a: 1 }])('with id %j is rejected', async (id) => {
    expect((await gateway.post('/rpc', call(id))).json).toEqual(invalid());
  });

  it('without an id is executed and gets no response', async () => {
    const { status, text } = await gateway.post('/rpc', { jsonrpc: '2.0', method: 'bridge.notified', params: [] });
    expect([status, text, node.callsOf('bridge.notified')]).toEqual([204, '', 1]);
    const rejected = await gateway.post('/rpc', { jsonrpc: '2.0', method: 'nowhere.x' });
    expect([rejected.status, rejected.text]).toEqual([204, '']);
  });

  it('that is too long is rejected with the limit in the message', async () => {
    const { status, json } = await gateway.post('/rpc', call(1, 'bridge.get_post', ['x'.repeat(2 * 1024 * 1024)]));
    expect([status, json]).toEqual([413, invalid()]);
    expect(JSON.stringify(json)).toContain('1048576 bytes');
  });
});

describe('a batch', () => {
  it('gets its responses in order, each with its own error', async () => {
    const { status, json } = await gateway.post('/rpc', [
      call(1),
      call('a', 'nowhere.x'),
      [call(2)],
      7,
      { jsonrpc: '2.0', method: 'bridge.notified' },
      { ...call(3), jsonrpc: 2 },
      { ...call(4), params: 'alice' },
      { ...call(5), method: 7 },
      call(1, 'bridge.other', []),
      call(null),
    ]);
    expect(status).toBe(200);
    expect(json).toEqual([
      { jsonrpc: '2.0', id: 1, result },
      { jsonrpc: '2.0', id: 'a', error: { code: -32601, message: 'Api not found nowhere' } },
      invalid(),
      invalid(),
      invalid(3),
      invalid(4),
      invalid(5),
      { jsonrpc: '2.0', id: 1, result: { method: 'bridge.other', params: [] } },
      { jsonrpc: '2.0', id: null, result },
    ]);
  });

  it('of one call gets an array', async () => {
    expect((await gateway.post('/rpc', [call(1)])).json).toEqual([{ jsonrpc: '2.0', id: 1, result }]);
  });

  it('may be posted to a path with repeated slashes', async () => {
    expect((await gateway.post('//rpc', call(1))).json).toEqual({ jsonrpc: '2.0', id: 1, result });
    expect((await gateway.post('/rpc//home', call(1))).json).toEqual({ jsonrpc: '2.0', id: '1', result });
  });

  it('gets its ids as strings at /rpc/home', async () => {
    expect((await gateway.post('/rpc/home', [call(1), 7])).json).toEqual([
      { jsonrpc: '2.0', id: '1', result },
      invalid(),
    ]);
  });

  it('has 1 to 50 calls', async () => {
    const batch = (count: number) => Array.from({ length: count }, (_, id) => call(id));
    expect((await gateway.post('/rpc', [])).json).toEqual(invalid());
    expect((await gateway.post('/rpc', batch(51))).json).toEqual(invalid());
    expect((await gateway.post('/rpc', batch(50))).json).toEqual(
      batch(50).map(({ id }) => ({ jsonrpc: '2.0', id, result })),
    );
  });

  it('of only notifications gets no response', async () => {
    const notification = { jsonrpc: '2.0', method: 'bridge.notified' };
    const { status, text } = await gateway.post('/rpc', [notification, notification]);
    expect([status, text]).toEqual([204, '']);
  });

  it('with slow calls gets errors for them within their timeout, and results for the others', async () => {
    const startedMs = performance.now();
    const { json } = await gateway.post('/rpc', [
      call(1),
      call(2, 'slow.a', []),
      call(3, 'slow.b', []),
      call(4, 'bridge.account_notifications', { account: '' }),
    ]);
    // The default timeout is 5 s.
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    const timeout = { code: -32603, message: 'Upstream timeout', data: { kind: 'timeout' } };
    expect(json).toEqual([
      { jsonrpc: '2.0', id: 1, result },
      { jsonrpc: '2.0', id: 2, error: timeout },
      { jsonrpc: '2.0', id: 3, error: timeout },
      {
        jsonrpc: '2.0',
        id: 4,
        error: expect.objectContaining({ message: 'Assert Exception:invalid account (not specified)' }),
      },
    ]);
  });

  it('gets headers that state where each response comes from', async () => {
    const { headers } = await gateway.post('/rpc', [
      call(1, 'bridge.new', []),
      call(2, 'bridge.new', []),
      call(3, 'no.x'),
    ]);
    expect(headers).toMatchObject({
      'x-gateway-cache': 'miss, coalesced, bypass',
      'x-gateway-attempts': '1, 1, 0',
    });
  });
});

describe('a post to /', () => {
  it.each([[call(1)], ['no JSON'], ['']])('always returns an empty object', async (body) => {
    const { status, json } = await gateway.post('/', body);
    expect([status, json]).toEqual([200, {}]);
  });
});

describe('another method than POST', () => {
  it.each(['/rpc', '/rpc/', '/rpc/home'])('at %s is rejected with 405', async (path) => {
    for (const method of ['GET', 'PUT', 'HEAD']) {
      const response = await fetch(gateway.url + path, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('at / is rejected with 405, except GET and HEAD', async () => {
    const response = await fetch(`${gateway.url}/`, { method: 'PUT' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it.each(['GET', 'HEAD'])('%s / leads to the description without the status page', async (method) => {
    const response = await fetch(`${gateway.url}/`, { method, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs/openapi.json']);
  });

  it('HEAD gets the same status as GET', async () => {
    for (const path of ['/health/live', '/health/ready', '/docs/openrpc.json'])
      expect((await fetch(gateway.url + path, { method: 'HEAD' })).status).toBe(200);
  });
});
