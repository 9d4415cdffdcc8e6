import { once } from 'node:events';
import { until } from '@waggle/testing';
import { z } from 'zod';
import {
  HiveClient,
  HiveClientClosedError,
  type HiveClientOptions,
  HiveNode,
  HiveNodesUnavailableError,
  HiveRpcError,
  NodeHealth,
  type NodeOutcome,
  recordForwardedCalls,
  untrueIssue,
} from '../src';
import { resultReader } from '../src/node/http/json-rpc';
import { ApiNode, page, type Respond, result, rpcError, silence } from './api-node';

const nodes: ApiNode[] = [];
const clients: HiveClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

async function startNode(fault?: Respond): Promise<ApiNode> {
  const node = await ApiNode.start();
  node.fault = fault;
  nodes.push(node);
  return node;
}

interface Watched {
  readonly client: HiveClient;
  readonly outcomes: NodeOutcome[];
  readonly clock: { ms: number };
}

/** A client of these nodes, with a clock that stands still until the test moves it. */
function connect(to: readonly ApiNode[], options: Partial<HiveClientOptions> = {}): Watched {
  const outcomes: NodeOutcome[] = [];
  const clock = { ms: 0 };
  const client = new HiveClient({
    urls: to.map(({ url }) => url),
    onOutcome: (outcome) => outcomes.push(outcome),
    now: () => clock.ms,
    // A slow machine would send calls to a second node.
    minHedgeMs: 60_000,
    ...options,
  });
  clients.push(client);
  return { client, outcomes, clock };
}

const ping = (client: HiveClient): Promise<string> => client.call('test_api.ping', {}, z.string());

/** Resolves with the error of a promise that rejects. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not reject');
}

async function unavailable(promise: Promise<unknown>): Promise<HiveNodesUnavailableError> {
  const error = await rejection(promise);
  if (!(error instanceof HiveNodesUnavailableError)) throw error;
  return error;
}

test('a call is JSON-RPC 2.0 over POST, and returns the parsed result', async () => {
  const node = await startNode(({ method, params, headers, url }, response) => {
    const seen = { method, params, type: headers['content-type'], url, more: true };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: seen, extra: 1 }));
  });
  const { client } = connect([node], { urls: [`${node.url}/rpc?network=main`] });
  const shape = z.object({ method: z.string(), params: z.unknown(), type: z.string(), url: z.string() });
  expect(await client.call('test_api.echo', ['ä', { b: 1 }], shape)).toEqual({
    method: 'test_api.echo',
    params: ['ä', { b: 1 }],
    type: 'application/json',
    url: '/rpc?network=main',
  });
});

describe('the next node is called if the first', () => {
  test.each<[string, string, Respond]>([
    ['responds with 503', 'http-status', page(503)],
    ['responds with 500 and a page without end', 'http-status', page(500, 'x'.repeat(200_000))],
    ['responds with 429', 'http-status', page(429)],
    ['responds with 404', 'http-status', page(404)],
    ['redirects', 'http-status', page(302)],
    ['responds with a page and status 200', 'not-json', page(200)],
    ['responds with nothing', 'not-json', page(200, '')],
    ['responds with half of the JSON', 'not-json', page(200, '{"jsonrpc":"2.0","id":1,"result":"po')],
    ['responds to another request', 'wrong-id', page(200, '{"jsonrpc":"2.0","id":77,"result":"pong"}')],
    ['responds without an id', 'wrong-id', page(200, '{"jsonrpc":"2.0","result":"pong"}')],
    ['responds with a list', 'wrong-shape', page(200, '[]')],
    ['responds with null', 'wrong-shape', result(null)],
    ['responds in another shape', 'wrong-shape', result({ pong: true })],
    ['responds without a result', 'wrong-shape', ({ id }, response) => response.end(`{"jsonrpc":"2.0","id":${id}}`)],
    ['responds with an invalid error', 'wrong-shape', ({ id }, response) => response.end(`{"id":${id},"error":"no"}`)],
    ['responds with too much', 'too-large', result('x'.repeat(20_000))],
    ['closes the connection', 'unreachable', (_, response) => response.destroy()],
    [
      'closes the connection within the response',
      'unreachable',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"jsonrpc"', () => response.destroy());
      },
    ],
    ['does not respond', 'timeout', silence],
    ['does not finish its response', 'timeout', (_, response) => void response.write('{"jsonrpc":')],
    ['has an internal error', 'node-error', rpcError(-32603, 'Oops')],
    ['has no lock on its database', 'node-error', rpcError(-32003, 'Unable to acquire database lock')],
    ['is a proxy without a node', 'node-error', rpcError(1100, 'Bad or missing upstream response')],
  ])('%s (%s)', async (_, kind, fault) => {
    const [bad, good] = [await startNode(), await startNode()];
    // Too short for a hedge.
    const timeoutMs = kind === 'timeout' ? 200 : 60_000;
    const { client, outcomes } = connect([bad, good], { timeoutMs, maxResponseBytes: 10_000 });
    await client.probe();
    outcomes.length = 0;
    bad.fault = fault;

    expect(await ping(client)).toBe('pong');
    expect(outcomes.map(({ node, outcome }) => [node, outcome])).toEqual([
      [bad.name, kind],
      [good.name, 'result'],
    ]);

    // It is ejected now: the next call does not go there.
    const tries = bad.calls.length;
    expect(await ping(client)).toBe('pong');
    expect(bad.calls).toHaveLength(tries);
  });

  test('refuses connections', async () => {
    const [bad, good] = [await startNode(), await startNode()];
    const { client } = connect([bad, good]);
    await bad.stop();
    expect(await ping(client)).toBe('pong');
    expect(client.status()).toMatchObject([
      { node: good.name, state: 'usable' },
      { node: bad.name, state: 'ejected' },
    ]);
  });
});

describe('an error by the node', () => {
  test('that any node would return ends the call', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const { client } = connect([first, second]);
    await client.probe();
    first.fault = ({ id }, response) => {
      const error = { code: -32003, message: 'Assert Exception:no', data: { code: 10 } };
      response.end(JSON.stringify({ jsonrpc: '2.0', error, id }));
    };
    const error = await rejection(ping(client));
    expect(error).toBeInstanceOf(HiveRpcError);
    expect(error).toMatchObject({
      method: 'test_api.ping',
      code: -32003,
      rpcMessage: 'Assert Exception:no',
      data: { code: 10 },
    });
    expect(second.calls).toEqual([]);
    expect(client.status()).toMatchObject([{ node: first.name, state: 'usable' }, { node: second.name }]);
  });

  test('is a failure of the node with rpcErrorIsFailure', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const { client, outcomes } = connect([first, second], { rpcErrorIsFailure: true });
    await client.probe();
    outcomes.length = 0;
    first.fault = rpcError(-32000, 'Too many requests');
    expect(await ping(client)).toBe('pong');
    expect(outcomes.map(({ node, outcome }) => [node, outcome])).toEqual([
      [first.name, 'rejected'],
      [second.name, 'result'],
    ]);
    second.fault = first.fault;
    const rejected = { kind: 'rejected', detail: '-32000 Too many requests' };
    expect((await unavailable(ping(client))).failures).toEqual([
      { node: second.name, ...rejected },
      { node: first.name, ...rejected },
    ]);
  });

  test.each([
    ['hived', rpcError(-32002, 'Assert Exception:api_itr != end: Could not find API test_api')],
    ['another server', rpcError(-32601, 'Method not found')],
  ])(
    'for a missing method, in the format of %s, causes calls to other nodes and does not eject the node',
    async (_, fault) => {
      const [first, second] = [await startNode(), await startNode()];
      const { client } = connect([first, second]);
      await client.probe();
      first.fault = fault;
      expect(await ping(client)).toBe('pong');
      expect(client.status()).toMatchObject([{ node: first.name, state: 'usable' }, { node: second.name }]);

      second.fault = fault;
      expect(await rejection(ping(client))).toBeInstanceOf(HiveRpcError);
    },
  );

  test('for a missing method does not hide the failures of other nodes', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const { client } = connect([first, second]);
    await client.probe();
    first.fault = rpcError(-32601, 'Method not found');
    second.fault = page(503);
    const error = await unavailable(ping(client));
    expect(error.failures).toEqual([{ node: second.name, kind: 'http-status', detail: '503' }]);
  });
});

test('a response without a result is invalid, even if the schema allows anything', async () => {
  const node = await startNode(({ id }, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id })));
  const { client } = connect([node]);
  const error = await unavailable(client.call('test_api.ping', {}, z.unknown()));
  expect(error.failures).toEqual([{ node: node.name, kind: 'wrong-shape', detail: 'no result' }]);
});

test('a result that the schema cannot convert is a failure of the node, even if the schema throws', async () => {
  const [first, second] = [await startNode(result('no number')), await startNode(result('7'))];
  const { client } = connect([first, second]);
  await client.probe();
  const number = z.string().transform((text) => BigInt(text));
  expect(await client.call('test_api.ping', {}, number)).toBe(7n);
  second.fault = first.fault;
  const failure = { kind: 'wrong-shape', detail: 'cannot be read: SyntaxError: Cannot convert no number to a BigInt' };
  expect((await unavailable(client.call('test_api.ping', {}, number))).failures).toEqual([
    { node: second.name, ...failure },
    { node: first.name, ...failure },
  ]);
});

test.each(['behind', 'contradiction'] as const)(
  'a result that cannot be true (%s) is a failure of the node',
  async (kind) => {
    const [first, second] = [await startNode(result({ block: 7 })), await startNode(result({ block: 8 }))];
    const { client } = connect([first, second]);
    const blockFrom = (min: number) =>
      z.object({ block: z.number() }).transform((value, context) => {
        if (value.block < min) context.issues.push(untrueIssue(value, kind, `it is ${value.block}`));
        return value;
      });
    expect(await client.call('test_api.ping', {}, blockFrom(8))).toEqual({ block: 8 });
    const error = await unavailable(client.call('test_api.ping', {}, blockFrom(9)));
    expect(error.failures).toEqual([
      { node: second.name, kind, detail: 'it is 8' },
      { node: first.name, kind, detail: 'it is 7' },
    ]);
  },
);

test('a node that returned an untrue result gets no calls for a minute if there is another', async () => {
  const [first, second] = [await startNode(), await startNode()];
  const { client, clock } = connect([first, second], { probeIntervalMs: Infinity });
  await ping(client);
  first.fault = result({ block: 7 });
  second.fault = result({ block: 8 });
  const block8 = z.object({ block: z.number() }).transform((value, context) => {
    if (value.block !== 8) context.issues.push(untrueIssue(value, 'contradiction', `it is ${value.block}`));
    return value;
  });
  expect(await client.call('block_api.get_block', {}, block8)).toEqual({ block: 8 });
  first.fault = second.fault = undefined;
  const { length } = first.calls;
  clock.ms = 59_999;
  await ping(client);
  expect(first.calls).toHaveLength(length);
  clock.ms = 60_000;
  await ping(client);
  await until(() => first.calls.length > length);
});

test('if no node responds, the error has a reason for each', async () => {
  const [first, second] = [await startNode(page(503)), await startNode(page(200))];
  const { client } = connect([first, second]);
  const error = await unavailable(ping(client));
  expect(error.method).toBe('test_api.ping');
  expect(error.failures).toEqual([
    { node: first.name, kind: 'http-status', detail: '503' },
    { node: second.name, kind: 'not-json' },
  ]);
  expect(error.message).toBe(
    `No Hive API node gave a usable result for test_api.ping: ${first.name} http-status (503), ${second.name} not-json`,
  );
});

test('credentials are sent but never printed', async () => {
  let authorization: string | undefined;
  const node = await startNode((request, response) => {
    authorization = request.headers.authorization;
    page(503)(request, response);
  });
  const url = `http://us%2Fer:geheim@${node.name}/geheim?key=geheim`;
  const { client, outcomes } = connect([node], { urls: [url] });
  const error = await unavailable(ping(client));
  expect(authorization).toBe(`Basic ${Buffer.from('us/er:geheim').toString('base64')}`);
  expect(JSON.stringify([error.message, error.stack, error.failures, outcomes, client.status()])).not.toMatch(/geheim/);
});

test.each([[[]], [['localhost:8091']], [['ftp://geheim@host']], [['http://']], [['https://host', '']]])(
  'the URLs %j are rejected without being quoted',
  (urls) => {
    const create = (): unknown => new HiveClient({ urls });
    expect(create).toThrow(RangeError);
    expect(create).not.toThrow(/geheim/);
  },
);

describe('a node that failed', () => {
  test('gets no calls during a pause, and afterwards only a copy of a call, for which no caller waits', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const changes: unknown[] = [];
    const onNodeChange = (change: unknown) => void changes.push(change);
    const { client, clock } = connect([first, second], {
      firstPauseMs: 1_000,
      probeIntervalMs: Infinity,
      onNodeChange,
    });
    await client.probe();
    first.fault = page(503);
    await ping(client);
    clock.ms = 999;
    await ping(client);
    expect(first.calls).toHaveLength(1);

    // The pause is over: the call succeeds while its copy hangs.
    first.fault = silence;
    clock.ms = 1_000;
    await ping(client);
    await until(() => first.calls.length === 2);
    await ping(client);
    expect(first.calls).toHaveLength(2);
    expect(changes).toEqual([
      { node: first.name, change: 'ejected', kinds: ['read test_api'], reason: 'http-status (503)' },
    ]);
  });

  test('is restored when such a copy succeeds', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const changes: unknown[] = [];
    const onNodeChange = (change: unknown) => void changes.push(change);
    const { client, clock } = connect([first, second], { probeIntervalMs: Infinity, onNodeChange });
    await client.probe();
    first.fault = page(503);
    await ping(client);
    first.fault = undefined;
    clock.ms = 1_000;
    await ping(client);
    await until(() => client.status().every(({ state }) => state === 'usable'));
    expect(changes).toEqual([
      expect.objectContaining({ change: 'ejected' }),
      { node: first.name, change: 'restored', kinds: ['read test_api'] },
    ]);
    await ping(client);
    expect(first.calls).toHaveLength(3);
  });

  test('gets no calls of the kind that it fails, but still gets others', async () => {
    const refusesBlocks: Respond = (request, response) => {
      (request.method.startsWith('block_api.') ? page(503) : result('pong'))(request, response);
    };
    const [first, second] = [await startNode(refusesBlocks), await startNode()];
    const { client } = connect([first, second], { probeIntervalMs: Infinity });
    await client.call('block_api.get_block_range', {}, z.string());
    await client.call('block_api.get_block_range', {}, z.string());
    await ping(client);
    expect(first.calls).toEqual(['block_api.get_block_range', 'test_api.ping']);
  });

  test('gets no calls for the time of Retry-After', async () => {
    const limit: Respond = (_, response) => response.writeHead(429, { 'retry-after': '30' }).end();
    const [first, second] = [await startNode(limit), await startNode()];
    const { client, clock } = connect([first, second], { firstPauseMs: 1_000, probeIntervalMs: Infinity });
    await ping(client);
    clock.ms = 29_999;
    await ping(client);
    expect(first.calls).toHaveLength(1);
    clock.ms = 30_000;
    await ping(client);
    await until(() => first.calls.length === 2);
  });

  test('is still called if it is the only one', async () => {
    const node = await startNode(page(503));
    const { client } = connect([node]);
    await unavailable(ping(client));
    expect(client.status()).toMatchObject([{ state: 'ejected' }]);
    node.fault = undefined;
    expect(await ping(client)).toBe('pong');
    expect(client.status()).toMatchObject([{ state: 'usable' }]);
  });

  test('is still called if the others fail too, in order of the ends of their pauses', async () => {
    const [first, second] = [await startNode(page(503)), await startNode()];
    const { client, clock } = connect([first, second], { probeIntervalMs: Infinity });
    await ping(client);
    clock.ms = 500;
    second.fault = page(503);
    const triedIn = async () => (await unavailable(ping(client))).failures.map(({ node }) => node);
    expect(await triedIn()).toEqual([second.name, first.name]);
    expect(await triedIn()).toEqual([first.name, second.name]);
    second.fault = undefined;
    expect(await ping(client)).toBe('pong');
  });
});

describe('a node that lags', () => {
  test('comes after the others until it has caught up', async () => {
    const [first, second, third] = [await startNode(), await startNode(), await startNode()];
    const { client, clock } = connect([first, second, third], { maxLagBlocks: 20, random: () => 0 });
    first.headBlock = 979;
    second.headBlock = 980;
    await client.probe();
    await ping(client);
    expect(second.calls).toHaveLength(1);
    expect(client.status()).toEqual([
      { node: second.name, state: 'usable', headBlock: 980 },
      { node: third.name, state: 'usable', headBlock: 1_000 },
      { node: first.name, state: 'lagging', headBlock: 979 },
    ]);

    first.headBlock = 1_000;
    clock.ms = 10_000;
    await client.probe();
    await ping(client);
    expect(first.calls).toHaveLength(1);
  });

  test('comes before those that fail', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const { client } = connect([first, second]);
    first.headBlock = 1;
    await client.probe();
    second.fault = page(503);
    expect(await ping(client)).toBe('pong');
    await ping(client);
    expect(second.calls).toHaveLength(1);
    // A response does not end the lag.
    expect(client.status()).toMatchObject([{ node: first.name, state: 'lagging' }, { state: 'ejected' }]);
  });

  test('still lags while another does not report its head', async () => {
    const [stuck, well] = [await startNode(), await startNode()];
    const { client, clock } = connect([stuck, well]);
    stuck.headBlock = 900;
    await client.probe();
    // Its last head still counts, whether the query fails or is left out during the pause.
    well.fault = page(503);
    for (let round = 1; round <= 2; round += 1) {
      await client.probe();
      expect(client.status()).toContainEqual({ node: stuck.name, state: 'lagging', headBlock: 900 });
    }
    stuck.headBlock = 1_000;
    await client.probe();
    expect(client.status()).toContainEqual({ node: stuck.name, state: 'usable', headBlock: 1_000 });
    well.fault = undefined;
    clock.ms = 10_000;
    await client.probe();
    expect(client.status().map(({ state }) => state)).toEqual(['usable', 'usable']);
  });

  test('is detected by calls, which do not wait for the probe', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const { client, clock, outcomes } = connect([first, second], { probeIntervalMs: 10_000 });
    const lookedAt = () =>
      outcomes.filter(({ node, method }) => node === first.name && method !== 'test_api.ping').length;
    await client.probe();
    first.headBlock = 1;
    clock.ms = 9_999;
    await ping(client);
    expect(lookedAt()).toBe(1);

    clock.ms += 1;
    await ping(client);
    // The call started the probe and did not wait for it.
    await until(() => !client.status().every(({ state }) => state === 'usable'));
    expect(client.status()).toMatchObject([{ node: second.name }, { node: first.name, state: 'lagging' }]);
  });

  test('is not probed if it is the only one', async () => {
    const node = await startNode();
    const { client, outcomes } = connect([node]);
    await ping(client);
    expect(outcomes.map(({ method }) => method)).toEqual(['test_api.ping']);
  });
});

describe('a node that is slow', () => {
  test('is hedged, and gets no more calls while another is fast', async () => {
    const [slow, fast] = [await startNode(silence), await startNode()];
    const { client } = connect([slow, fast], {
      now: () => performance.now(),
      probeIntervalMs: Infinity,
      minHedgeMs: 1_000,
    });
    for (let call = 0; call < 20; call += 1) expect(await ping(client)).toBe('pong');
    expect([slow.calls.length, fast.calls.length]).toEqual([1, 20]);
  });

  test('does not double the calls if all are slow', async () => {
    const slow: Respond = (request, response) => {
      setTimeout(() => {
        result('pong')(request, response);
      }, 400);
    };
    const both = [await startNode(slow), await startNode(slow)];
    // The clock stands still, so neither node is known to be slow.
    const { client } = connect(both, { probeIntervalMs: Infinity, minHedgeMs: 250 });
    await Promise.all(Array.from({ length: 40 }, () => ping(client)));
    const called = both.reduce((sum, { calls }) => sum + calls.length, 0);
    expect(called).toBeGreaterThan(40);
    // A burst of ten, and one for every ten calls.
    expect(called).toBeLessThanOrEqual(54);
  });
});

describe('time limits', () => {
  test('over all nodes: the error names those that were not called', async () => {
    const silent = [await startNode(silence), await startNode(silence)];
    const { client } = connect(silent, { timeoutMs: 100, overallTimeoutMs: 100 });
    const error = await unavailable(ping(client));
    expect(error.failures.map(({ kind }) => kind)).toEqual(['timeout', 'not-tried']);
  });

  test('per node: one that got only the remaining time is not ejected', async () => {
    const [first, second] = [await startNode(), await startNode()];
    const { client } = connect([first, second], { timeoutMs: 1_000, overallTimeoutMs: 1_100 });
    await client.probe();
    first.fault = silence;
    second.fault = silence;
    await unavailable(ping(client));
    expect(client.status()).toMatchObject([
      { node: second.name, state: 'usable' },
      { node: first.name, state: 'ejected' },
    ]);
  });
});

describe('connections', () => {
  test('are reused for the next call', async () => {
    const node = await startNode();
    const { client } = connect([node]);
    for (let call = 0; call < 10; call += 1) await ping(client);
    // The pool may open a second one while the first still reads its response.
    expect(node.connections).toBeLessThanOrEqual(2);
  });

  test('are limited in number, and calls wait for one', async () => {
    const node = await startNode();
    const { client } = connect([node], { maxConnections: 3 });
    expect(await Promise.all(Array.from({ length: 50 }, () => ping(client)))).toHaveLength(50);
    expect(node.connections).toBe(3);
  });

  test('that the node closes just as they are reused do not count as a failure', async () => {
    const node = await startNode();
    const { client, outcomes } = connect([node]);
    await ping(client);
    node.fault = (_, response) => {
      node.fault = undefined;
      response.destroy();
    };
    expect(await ping(client)).toBe('pong');
    expect(node.connections).toBe(2);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['result', 'result']);
  });

  test('are closed with the client, and running calls are aborted', async () => {
    const node = await startNode();
    const { client, outcomes } = connect([node]);
    await ping(client);
    const arrived = new Promise<void>((resolve) => {
      node.fault = (_, response) => {
        resolve();
        closed = once(response, 'close');
      };
    });
    let closed: Promise<unknown> | undefined;
    const broken = rejection(ping(client));
    await arrived;
    await client.close();
    expect(await broken).toBeInstanceOf(HiveClientClosedError);
    await closed;
    expect(await rejection(ping(client))).toBeInstanceOf(HiveClientClosedError);
    expect(outcomes).toHaveLength(1);
    await until(async () => (await node.openConnections()) === 0);
  });
});

test('the observer is called after each call to each node', async () => {
  const [first, second] = [await startNode(page(503)), await startNode()];
  const { client, outcomes } = connect([first, second]);
  await ping(client);
  const ofPing = outcomes.filter(({ method }) => method === 'test_api.ping');
  expect(ofPing).toEqual([
    { node: first.name, method: 'test_api.ping', outcome: 'http-status', ms: expect.any(Number) },
    { node: second.name, method: 'test_api.ping', outcome: 'result', ms: expect.any(Number) },
  ]);
});

describe('a call of the working nodes', () => {
  const pingWorking = (client: HiveClient) => client.callWorkingNodes('test_api.ping', {}, z.string(), 'comparison');

  test('returns the results of the working nodes', async () => {
    const [well, alsoWell, bad] = [
      await startNode(result('one')),
      await startNode(result('two')),
      await startNode(page(503)),
    ];
    const { client } = connect([well, alsoWell, bad]);
    const expected = [
      { node: well.name, value: 'one' },
      { node: alsoWell.name, value: 'two' },
    ];
    for (let round = 1; round <= 2; round += 1) expect(await pingWorking(client)).toEqual(expected);
    expect(bad.calls).toHaveLength(1);
    expect(client.nodeCount).toBe(3);
  });

  test('waits every time for one that responds late', async () => {
    const late: Respond = (request, response) => {
      setTimeout(() => {
        result('late')(request, response);
      }, 300);
    };
    const [well, slow] = [await startNode(result('one')), await startNode(late)];
    const { client } = connect([well, slow], { now: () => performance.now() });
    const expected = [
      { node: well.name, value: 'one' },
      { node: slow.name, value: 'late' },
    ];
    for (let round = 1; round <= 3; round += 1) expect(await pingWorking(client)).toEqual(expected);
  });

  test('waits once for one that does not respond in time', async () => {
    const [well, silent] = [await startNode(result('one')), await startNode(silence)];
    const { client } = connect([well, silent], { timeoutMs: 300, now: () => performance.now() });
    for (let round = 1; round <= 5; round += 1)
      expect(await pingWorking(client)).toEqual([{ node: well.name, value: 'one' }]);
    expect(silent.calls).toHaveLength(1);
  });

  test('does not call a node whose result was untrue', async () => {
    const [well, liar] = [await startNode(result('one')), await startNode(result('two'))];
    const { client } = connect([well, liar]);
    await pingWorking(client);
    client.recordContradiction(liar.name, 'block 7 is two, and one at most nodes');
    expect(await pingWorking(client)).toEqual([{ node: well.name, value: 'one' }]);
    const { node } = await client.callWithNode('test_api.ping', {}, z.string());
    expect(node).toBe(well.name);
  });

  test('still calls a node whose block ranges are avoided', async () => {
    const [well, avoided] = [await startNode(result('one')), await startNode(result('two'))];
    const { client } = connect([avoided, well]);
    await pingWorking(client);
    client.recordMismatch(avoided.name, 'virtual operations do not fit its blocks');
    const { node } = await client.callWithNode('block_api.get_block_range', {}, z.string());
    expect(node).toBe(well.name);
    expect(await pingWorking(client)).toHaveLength(2);
  });

  test('rejects with the error of a node only if all of them return one', async () => {
    const [rejecting, other] = [await startNode(rpcError(-32003, 'Assert Exception:no')), await startNode(page(503))];
    const { client } = connect([rejecting, other]);
    expect((await unavailable(pingWorking(client))).failures).toEqual([
      { node: rejecting.name, kind: 'rejected' },
      { node: other.name, kind: 'http-status', detail: '503' },
    ]);
    // The other one is ejected now, and not called.
    expect(await rejection(pingWorking(client))).toBeInstanceOf(HiveNodesUnavailableError);
    other.fault = rpcError(-32601, 'Method not found');
    const { client: another } = connect([rejecting, other]);
    expect(await rejection(pingWorking(another))).toBeInstanceOf(HiveRpcError);
  });

  test('rejects with the failure of each of them', async () => {
    const [bad, alsoBad] = [await startNode(page(503)), await startNode(result(7))];
    const { client } = connect([bad, alsoBad]);
    const error = await rejection(pingWorking(client));
    expect(error).toBeInstanceOf(HiveNodesUnavailableError);
    expect(error).toMatchObject({
      failures: expect.arrayContaining([
        { node: bad.name, kind: 'http-status', detail: '503' },
        { node: alsoBad.name, kind: 'wrong-shape', detail: 'result ' },
      ]) as unknown,
    });
  });
});

test('a read is not repeated over a new connection if the process stood still until its time was over', async () => {
  const node = await ApiNode.start();
  const now = performance.now.bind(performance);
  node.fault = (_, response) => {
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 2_000);
    response.socket?.resetAndDestroy();
  };
  const url = new URL(node.url);
  const options = { connections: 1, maxQueued: 1, maxResponseBytes: 1_000, recordReply: recordForwardedCalls };
  const pauses = { firstMs: 1_000, maxMs: 5_000 };
  const hive = new HiveNode(url, options, new NodeHealth(url.host, { pauses, now: () => performance.now() }));
  const readResponse = resultReader('a.b', z.string());
  const reply = await hive.send({
    method: 'a.b',
    paramsText: '[]',
    kind: 'head',
    purpose: 'read',
    readResponse,
    timeoutMs: 1_000,
  });
  jest.restoreAllMocks();
  expect(reply).toMatchObject({ kind: 'failed', failure: { kind: 'unreachable', detail: 'ECONNRESET' } });
  await hive.close();
  await node.stop();
});
