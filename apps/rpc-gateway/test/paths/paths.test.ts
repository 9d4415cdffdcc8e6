import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@waggle/testing';
import { GatewayUnderTest, routesHead } from '../support/gateway-under-test';
import { IndexUnderTest } from '../support/index-under-test';
import { create, post, vote } from '../support/operations';
import { type PathCall, ScriptedNode } from '../support/scripted-node';

const routes = `${routesHead}
  bridge:
paths:
  /reputation-api/accounts/{account}/reputation: { to: local }
  /reputation-api/:
  /hafah-api/:
  /status-api/: { retries: 0 }
  /hafah-api/slow/: { timeout: 300ms, retries: 0, cache: none }
  /balance-api/: { strip-prefix: true, cache: none }
`;

let nodes: [ScriptedNode, ScriptedNode];
let gateway: GatewayUnderTest;

beforeAll(async () => {
  nodes = [await ScriptedNode.start(), await ScriptedNode.start()];
  gateway = await GatewayUnderTest.start(
    nodes.map(({ url }) => url),
    { routes, corsOrigins: ['https://hive.blog'] },
  );
});
afterAll(async () => {
  await gateway.stop();
  for (const node of nodes) await node.stop();
});
beforeEach(() => {
  for (const node of nodes) {
    node.pathCalls.length = 0;
    node.pathScript = ({ target }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ target }));
    };
  }
});

/** Number of nodes that count as unusable. */
const ejectedNodes = async () => {
  const { text } = await gateway.get('/metrics');
  return [...text.matchAll(/^rpc_gateway_upstream_usable\{.*\} 0$/gm)].length;
};
const fetchPath = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init);
/** Without the questions whether a node has the API. */
const received = (): PathCall[] =>
  nodes.flatMap(({ pathCalls }) => pathCalls.filter(({ target }) => target !== '/hafah-api/'));
const respondAll = (script: ScriptedNode['pathScript']) => {
  for (const node of nodes) node.pathScript = script;
};

it('forwards path and query unchanged, without headers of the client', async () => {
  const path = '/hafah-api/blocks?from-block=1&name=%C3%A4';
  const response = await fetchPath(path, { headers: { authorization: 'Bearer secret', cookie: 'a=b' } });
  expect([response.status, await response.json()]).toEqual([200, { target: path }]);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-gateway-source')).toBe('upstream');
  expect(received()).toMatchObject([{ method: 'GET', target: path }]);
  expect(received()[0]?.headers).not.toMatchObject({ authorization: expect.anything() });
  expect(received()[0]?.headers).not.toMatchObject({ cookie: expect.anything() });
});

it('removes the prefix if its row says so', async () => {
  expect(await (await fetchPath('/balance-api/accounts/alice/balances?a=1')).json()).toEqual({
    target: '/accounts/alice/balances?a=1',
  });
  expect(await (await fetchPath('/balance-api?a=1')).json()).toEqual({ target: '/?a=1' });
  expect(await (await fetchPath('/balance-api/?a=1')).json()).toEqual({ target: '/?a=1' });
});

it('serves a cached response until the next block, and shares one that is running', async () => {
  const first = await fetchPath('/hafah-api/cached');
  const second = await fetchPath('/hafah-api/cached');
  expect([first, second].map(({ headers }) => headers.get('x-gateway-cache'))).toEqual(['miss', 'hit']);
  const waiting: (() => void)[] = [];
  respondAll((_call, response) => {
    waiting.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end('1'));
    if (waiting.length === 1) setTimeout(() => waiting[0]?.(), 50);
  });
  const both = await Promise.all([fetchPath('/hafah-api/shared'), fetchPath('/hafah-api/shared')]);
  expect(both.map(({ headers }) => headers.get('x-gateway-cache')).sort()).toEqual(['coalesced', 'miss']);
});

it('sends a POST once, with its body, and does not cache it', async () => {
  const send = () => fetchPath('/hafah-api/by-ids', { method: 'POST', body: '{"ids":[1]}' });
  for (const response of [await send(), await send()]) expect(response.headers.get('x-gateway-cache')).toBe('bypass');
  expect(received()).toMatchObject([1, 2].map(() => ({ method: 'POST', body: '{"ids":[1]}' })));
  respondAll((_call, response) => response.writeHead(502).end());
  expect((await send()).status).toBe(502);
  expect(received()).toHaveLength(3);
});

it('sends a POST once also if a node is due for a trial, and does not share equal ones', async () => {
  respondAll((_call, response) => response.socket?.resetAndDestroy());
  await fetchPath('/status-api/x');
  respondAll((_call, response) => response.writeHead(200).end('1'));
  for (const node of nodes) node.pathCalls.length = 0;
  const send = () => fetchPath('/status-api/x', { method: 'POST', body: '{}' });
  await Promise.all([send(), send()]);
  // Longer than the first pause of a node.
  await delay(1_200);
  await send();
  expect(received()).toHaveLength(3);
});

it('responds to HEAD as to GET, without a body', async () => {
  const response = await fetchPath('/hafah-api/head', { method: 'HEAD' });
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
    200,
    String(JSON.stringify({ target: '/hafah-api/head' }).length),
    '',
  ]);
});

it('rejects a body that is not UTF-8', async () => {
  const response = await fetchPath('/hafah-api/x', { method: 'POST', body: Buffer.from([0xff]) });
  expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ code: 'invalid-request' })]);
});

it('forwards an error of the client with its status, and asks no other node', async () => {
  const error = { code: 'P0001', message: 'Account does not exist' };
  respondAll((_call, response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error)),
  );
  const response = await fetchPath('/hafah-api/unknown-account');
  expect([response.status, await response.json()]).toEqual([400, error]);
  expect(received()).toHaveLength(1);
});

it.each([
  [400, 'a wrong parameter', 400, '{"code":"P0001","message":"no"}', '{"code":"P0001","message":"no"}'],
  [404, 'no such row', 404, '{"code":"PGRST116"}', '{"code":"PGRST116"}'],
  [500, 'a query that took too long', 500, '{"code":"57014"}', '{"code":"57014"}'],
  [414, 'a page of its proxy', 414, '<html>', '{"code":"414","message":"The node responded with status 414"}'],
  [200, 'no content', 204, '', 'null'],
])('returns %i for %s, without counting it against the node', async (status, _what, nodeStatus, body, expected) => {
  respondAll((_call, response) => response.writeHead(nodeStatus).end(body));
  for (let n = 0; n < 5; n += 1) {
    const response = await fetchPath(`/hafah-api/${status}/${nodeStatus}?${n}`);
    expect([response.status, await response.text()]).toEqual([status, expected]);
  }
  expect(received()).toHaveLength(5);
  expect(await ejectedNodes()).toBe(0);
});

it.each([
  [404, 'not-found', 'a page without JSON', 404, 'text/html', '<html>'],
  [404, 'not-found', 'a function of another version', 404, 'application/json', '{"code":"PGRST202"}'],
  [502, 'bad-response', 'a redirect', 301, 'text/html', ''],
  [502, 'bad-response', 'no JSON', 200, 'application/json', '{'],
  [503, 'unavailable', 'a limit', 429, 'application/json', '{}'],
])('responds with %i %s if every node responds with %s', async (status, code, _what, nodeStatus, type, body) => {
  respondAll((_call, response) => response.writeHead(nodeStatus, { 'content-type': type }).end(body));
  const response = await fetchPath(`/hafah-api/${code}/${nodeStatus}`);
  expect([response.status, await response.json()]).toEqual([
    status,
    expect.objectContaining({ statusCode: status, code, requestId: response.headers.get('x-request-id') }),
  ]);
  expect(received()).toHaveLength(2);
});

it('asks another node if one lacks the API', async () => {
  const [first, second] = nodes;
  for (const [lacking, other] of [nodes, [second, first] as const]) {
    lacking.pathScript = (_call, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('no');
    other.pathScript = (_call, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('2');
    expect(await (await fetchPath(`/hafah-api/rare?${Math.random()}`)).json()).toBe(2);
  }
});

/** The paths below a prefix that a node was asked for, and its root. */
const pathsOf = ({ pathCalls }: ScriptedNode) => ({
  roots: pathCalls.filter(({ target }) => target === '/hafbe-api/').length,
  others: pathCalls.filter(({ target }) => target !== '/hafbe-api/').length,
});

it.each([
  ['a page with 404', 404, '<html>no</html>'],
  ['a text with 501', 501, 'no'],
  ['a page with 200, as proxies do', 200, '<!doctype html>'],
  ['an error of JSON-RPC, as hived does for every path', 200, '{"jsonrpc":"2.0","error":{"code":-32700}}'],
])('prefers other nodes to one that responds to the API with %s', async (_what, status, body) => {
  const pair: [ScriptedNode, ScriptedNode] = [await ScriptedNode.start(), await ScriptedNode.start()];
  const [lacking, having] = pair;
  const own = await GatewayUnderTest.start(
    pair.map(({ url }) => url),
    { routes: `${routesHead}\n  bridge:\npaths:\n  /hafbe-api/: { hedge: 10ms }\n` },
  );
  lacking.pathScript = (_call, response) => response.writeHead(status).end(body);
  let count = 0;
  const read = async () => {
    const response = await fetch(`${own.url}/hafbe-api/witnesses?${(count += 1)}`);
    return [response.status, await response.json()];
  };
  await until(async () => {
    expect(await read()).toEqual([200, { target: `/hafbe-api/witnesses?${count}` }]);
    return pathsOf(lacking).roots === 1;
  });
  // The response of the root has arrived when the next calls avoid the node.
  await until(async () => {
    const before = pathsOf(lacking).others;
    for (let call = 0; call < 20; call += 1) await read();
    return pathsOf(lacking).others === before;
  });
  const before = pathsOf(lacking);
  for (let call = 0; call < 20; call += 1) await read();
  // Neither a retry nor a hedge goes to it, but it is the last resort.
  having.pathScript = (_call, response) => setTimeout(() => response.writeHead(502).end(), 40);
  expect((await read())[0]).toBe(502);
  expect(pathsOf(lacking)).toEqual(before);
  expect(pathsOf(having).roots).toBe(0);
  having.pathScript = (_call, response) => response.writeHead(404).end('no');
  await until(async () => (await read())[0] === 404);
  expect(pathsOf(lacking).others).toBeGreaterThan(before.others);
  await own.stop();
  await Promise.all(pair.map((node) => node.stop()));
});

it('goes on to call a node that lacks only a path, and asks for the root once', async () => {
  const own = await GatewayUnderTest.start([nodes[0].url], {
    routes: `${routesHead}\n  bridge:\npaths:\n  /hafbe-api/:\n`,
  });
  nodes[0].pathScript = ({ target }, response) =>
    response
      .writeHead(target === '/hafbe-api/' ? 200 : 404, { 'content-type': 'application/json' })
      .end(target === '/hafbe-api/' ? '{}' : '{"code":"PGRST202"}');
  for (let call = 0; call < 5; call += 1) expect((await fetch(`${own.url}/hafbe-api/none?${call}`)).status).toBe(404);
  expect(pathsOf(nodes[0])).toEqual({ roots: 1, others: 5 });
  await own.stop();
});

it('ends with 504 after the timeout of the row', async () => {
  respondAll(() => undefined);
  const response = await fetchPath('/hafah-api/slow/one');
  expect([response.status, await response.json()]).toEqual([504, expect.objectContaining({ code: 'timeout' })]);
});

it('does not forward other methods, paths or dot segments', async () => {
  for (const [method, path] of [
    ['DELETE', '/hafah-api/x'],
    ['GET', '/hafah-apis/x'],
    ['GET', '/other-api/x'],
  ] as const)
    expect((await fetchPath(path, { method })).status).toBe(404);
  // `fetch` resolves dot segments itself.
  for (const path of ['/balance-api/../x', '/balance-api/%2e%2e/x', '/balance-api/a/%2E./x', '/balance-api/..%2fx'])
    expect((await gateway.get(path)).status).toBe(404);
  expect(received()).toEqual([]);
});

it('allows pages of listed origins, also for the preflight of a POST', async () => {
  const headers = { origin: 'https://hive.blog' };
  expect((await fetchPath('/hafah-api/cors', { headers })).headers.get('access-control-allow-origin')).toBe(
    'https://hive.blog',
  );
  const preflight = await fetchPath('/hafah-api/cors', {
    method: 'OPTIONS',
    headers: { ...headers, 'access-control-request-method': 'POST' },
  });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, 'https://hive.blog']);
});

it('forwards to a server that is no Hive node, and does not ask for its head', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const own = await GatewayUnderTest.start([nodes[0].url], {
    environment: { DELEGATION_URL: `http://127.0.0.1:${port}` },
    routes: `${routesHead.replace('\ndefaults', '\n  delegation: { nodes: DELEGATION_URL, reports-head: false }\ndefaults')}
  bridge:
paths:
  /delegation-api/: { to: delegation, strip-prefix: true }
`,
  });
  expect(await (await fetch(`${own.url}/delegation-api/alice`)).json()).toEqual([]);
  expect(requests).toEqual(['GET /alice']);
  await own.stop();
  server.close();
});

describe('the reputation of an account', () => {
  const pathOf = (account: string) => `/reputation-api/accounts/${account}/reputation`;

  it('is the score of the reputation tracker', async () => {
    const index = await IndexUnderTest.start();
    await index.apply(['alice', 'bob', 'carol'].map((name) => create(name)));
    await index.apply([post('alice', 'honey'), post('bob', 'wax')]);
    // A vote adds a sixty-fourth of its rshares.
    await index.apply([vote('carol', { author: 'alice', permlink: 'honey' }, 64e11)]);
    await index.apply([vote('alice', { author: 'bob', permlink: 'wax' }, -64e12)]);
    const scoreOf = (account: string) => index.call(pathOf('{account}'), { account });
    expect(await Promise.all(['alice', 'bob', 'carol'].map(scoreOf))).toEqual([43, -2, 0]);
    await index.stop();
  });

  it('comes from the index, with 400 for an unknown account, and from a node if the index is incomplete', async () => {
    nodes[0].script = () => ({ accounts: [] });
    nodes[1].script = () => ({ accounts: [] });
    const unknown = await fetchPath(pathOf('nobody-here'));
    expect((await fetchPath(pathOf('%00'))).status).toBe(400);
    expect([unknown.status, unknown.headers.get('x-gateway-source'), await unknown.json()]).toEqual([
      400,
      'index',
      expect.objectContaining({ code: 'invalid-request', message: expect.stringContaining('does not exist') }),
    ]);
    const fresh = await GatewayUnderTest.start([nodes[0].url], { routes, index: 'none' });
    expect(await (await fetch(`${fresh.url}${pathOf('alice')}`)).json()).toEqual({ target: pathOf('alice') });
    // A local path has no POST: it goes to the row of its prefix.
    nodes[0].pathCalls.length = 0;
    await fetch(`${fresh.url}${pathOf('alice')}`, { method: 'POST', body: '{}' });
    expect(nodes[0].pathCalls).toHaveLength(1);
    await fresh.stop();
  });
});
