import { once } from 'node:events';
import { createServer } from 'node:net';
import { until } from '@waggle/testing';
import { GatewayUnderTest, routesHead } from '../support/gateway-under-test';
import { hang, Raw, reset, rpcError, ScriptedNode, type Script } from '../support/scripted-node';

const routes = `${routesHead.replace('HIVE_API_NODES }', 'HIVE_API_NODES, response-megabytes: 1 }')}
  bridge: { timeout: 10s }
  bridge.get_post_header: { timeout: 400ms }
  condenser_api.broadcast_transaction: { write: true, timeout: 10s }
  network_broadcast_api.broadcast_transaction: { write: true, timeout: 400ms }
`;
/** Only timeouts are tested with a short one, so that a slow machine does not fail the others. */
const readMethod = (kind: string) => (kind === 'timeout' ? 'bridge.get_post_header' : 'bridge.get_post');
const broadcastMethod = (kind?: string) =>
  kind === 'timeout' ? 'network_broadcast_api.broadcast_transaction' : 'condenser_api.broadcast_transaction';

let node: ScriptedNode;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  node = await ScriptedNode.start();
  gateway = await GatewayUnderTest.start([node.url], { routes });
});
afterAll(async () => {
  await gateway.stop();
  await node.stop();
});

const failure = (kind: string) => ({ code: -32603, message: expect.stringMatching(/pstream/), data: { kind } });
const okay: Script = () => 'okay';

/** Each has parameters of its own, so that nothing is shared. */
let count = 0;
const read = () => gateway.call('bridge.get_post', [(count += 1)]);

describe('a failure of the only node', () => {
  const halfOf = (text: string) => text.slice(0, text.length / 2);
  const reply = (members: object, id: (id: number) => unknown = (own) => own) =>
    new Raw((response, call) => response.end(JSON.stringify({ jsonrpc: '2.0', ...members, id: id(call.id) })));

  it.each([
    ['timeout', 'no response', hang],
    [
      'timeout',
      'a response that never ends',
      new Raw((response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"2.0","result":[');
      }),
    ],
    ['unreachable', 'a broken connection', reset],
    [
      'unreachable',
      'a body that is cut off',
      new Raw((response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"jsonrpc"', () => response.destroy());
      }),
    ],
    ['bad-response', 'HTML', Raw.body('<html><body>Bad Gateway</body></html>')],
    ['bad-response', 'a page with status 502', Raw.body('<html></html>', 502, 'text/html')],
    ['bad-response', 'an error with status 500', Raw.body('{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}', 500)],
    ['bad-response', 'a redirect', new Raw((response) => response.writeHead(302, { location: '/elsewhere' }).end())],
    ['bad-response', 'nothing', Raw.body('')],
    ['bad-response', 'truncated JSON', Raw.body(halfOf(JSON.stringify({ jsonrpc: '2.0', result: [1, 2, 3], id: 1 })))],
    ['bad-response', 'another id', reply({ result: 1 }, (id) => id + 1)],
    ['bad-response', 'the id as a text', reply({ result: 1 }, String)],
    ['bad-response', 'no result', reply({})],
    ['bad-response', 'an error that is a string', reply({ error: 'no' })],
    ['bad-response', 'an error that is an array', reply({ error: [1] })],
    ['bad-response', 'an error without a code', reply({ error: { message: 'x' } })],
    ['bad-response', 'result and error', reply({ result: 1, error: { code: 1, message: 'x' } })],
    ['bad-response', 'a response that is too long', new Raw((response) => response.end('x'.repeat(2 * 1024 * 1024)))],
    ['overloaded', 'status 429', Raw.body('slow down', 429)],
    ['overloaded', 'status 503', Raw.body('later', 503)],
  ])('%s: %s', async (kind, _what, raw) => {
    const startedMs = performance.now();
    const params = [(count += 1)];
    node.script = () => raw;
    const { status, json } = await gateway.call(readMethod(kind), params);
    expect([status, json]).toEqual([200, { jsonrpc: '2.0', id: 1, error: failure(kind) }]);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    // It is not cached.
    node.script = okay;
    const called = node.calls.length;
    await gateway.call(readMethod(kind), params);
    await until(() => node.calls.length > called);
  });

  it('unreachable: a closed port', async () => {
    const alone = await GatewayUnderTest.start(['http://127.0.0.1:1'], { routes });
    const { json } = await alone.call('bridge.get_post');
    const broadcast = await alone.call(broadcastMethod());
    await alone.stop();
    expect(json).toMatchObject({ error: failure('unreachable') });
    expect(broadcast.json).toMatchObject({ error: failure('unreachable') });
  });

  it('timeout: a server that accepts connections and sends nothing', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const alone = await GatewayUnderTest.start([`http://127.0.0.1:${port}`], { routes });
    const { json } = await alone.call(readMethod('timeout'));
    await alone.stop();
    server.close();
    expect(json).toMatchObject({ error: failure('timeout') });
  });
});

it.each([400, 413, 414, 422])('status %i concerns the call and does not eject the node', async (status) => {
  const isUsable = async () => /^rpc_gateway_upstream_usable\{.*\} 1$/m.test((await gateway.get('/metrics')).text);
  await until(isUsable);
  node.script = () => Raw.body('no', status);
  expect((await read()).json).toMatchObject({ error: failure('bad-response') });
  expect(await isUsable()).toBe(true);
  node.script = okay;
});

describe('an error of the only node', () => {
  it.each([
    [rpcError(-32003, 'Assert Exception', { code: 10, stack: [{ format: 'x', data: {} }] })],
    [rpcError(-32602, 'Assert Exception:invalid account char')],
    [rpcError(-32601, 'Method not found')],
    [rpcError(-32603, 'Internal error')],
    [rpcError(1100, 'Bad or missing upstream response')],
  ])('is returned unchanged, and not cached', async (raw) => {
    const params = [(count += 1)];
    node.script = () => raw;
    const { json } = await gateway.call('bridge.get_post', params);
    const sent = await fetch(node.url, { method: 'POST', body: '{"id":1,"method":"x"}' });
    expect(json).toEqual(await sent.json());
    node.script = okay;
    expect((await gateway.call('bridge.get_post', params)).json).toMatchObject({ result: 'okay' });
  });
});

describe('a broadcast', () => {
  const broadcast = (kind?: string) => gateway.call(broadcastMethod(kind), [{ operations: [] }]);

  it.each([
    ['timeout', hang],
    ['unreachable', reset],
    ['overloaded', Raw.body('later', 503)],
    ['bad-response', Raw.body('<html></html>')],
  ])('that ends as %s is sent once', async (kind, raw) => {
    node.calls.length = 0;
    node.script = () => raw;
    const { headers, json } = await broadcast(kind);
    expect(json).toMatchObject({ error: failure(kind) });
    expect(headers).toMatchObject({ 'x-gateway-cache': 'bypass', 'x-gateway-attempts': '1' });
    expect(node.calls).toHaveLength(1);
  });

  it('is sent once per call, even if the calls are identical', async () => {
    node.calls.length = 0;
    node.script = okay;
    await Promise.all([broadcast(), broadcast(), broadcast()]);
    expect((await broadcast()).json).toMatchObject({ result: 'okay' });
    expect(node.calls).toHaveLength(4);
  });
});

it('recovers when the node does', async () => {
  node.script = okay;
  expect((await read()).json).toMatchObject({ result: 'okay' });
});
