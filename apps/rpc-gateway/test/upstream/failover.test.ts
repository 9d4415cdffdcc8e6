import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { type TestDatabase, until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { GatewayUnderTest, routesHead } from '../support/gateway-under-test';
import { freshDatabase } from '../support/index-under-test';
import { hang, Raw, reset, rpcError, ScriptedNode } from '../support/scripted-node';

const timeoutMs = 6_000;
const routes = `${routesHead}
  bridge: { timeout: ${timeoutMs}ms }
  # What makes second attempts of these is a hedge alone: no share of the time ends.
  bridge.get_discussion: { timeout: 30s }
  # One attempt, however long it takes.
  condenser_api: { hedge: none, timeout: 30s }
  condenser_api.broadcast_transaction: { write: true, timeout: 2s }
`;

let database: TestDatabase;
let nodes: ScriptedNode[];
let gateway: GatewayUnderTest;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  nodes = await Promise.all([ScriptedNode.start(), ScriptedNode.start(), ScriptedNode.start()]);
  for (const [index, node] of nodes.entries()) node.script = ({ params }) => ({ from: index, params });
  gateway = await GatewayUnderTest.start(
    nodes.map(({ url }) => url),
    { routes, database, index: 'none' },
  );
});
afterEach(async () => {
  await gateway.stop();
  await Promise.all(nodes.map((node) => node.stop()));
});

const first = () => nodes[0] ?? fail();
function fail(): never {
  throw new Error('there is no node');
}

interface Read {
  readonly ms: number;
  readonly json: unknown;
  readonly attempts: number;
}

let last = 0;

/** Makes different reads, 16 at a time. */
async function readMany(count: number, method = 'bridge.get_post'): Promise<Read[]> {
  const reads: Read[] = [];
  const reader = async () => {
    while (reads.length < count) {
      const startedMs = performance.now();
      const { json, headers } = await gateway.call(method, [(last += 1)]);
      reads.push({ ms: performance.now() - startedMs, json, attempts: Number(headers['x-gateway-attempts']) });
    }
  };
  await Promise.all(Array.from({ length: 16 }, reader));
  return reads;
}

const isFromFirst = (json: unknown) => JSON.stringify(json).includes('"from":0');
const anyFromFirst = async () => (await readMany(10)).some(({ json }) => isFromFirst(json));

type Misbehavior = [string, () => void | Promise<void>];
const behind: Misbehavior = [
  'is behind by 30 blocks',
  () => {
    first().head -= 30;
  },
];
const gone: Misbehavior = ['is gone', () => first().stop()];

const misbehaviors: Misbehavior[] = [
  behind,
  [
    'returns HTML pages',
    () => {
      first().script = () => Raw.body('<html></html>', 502, 'text/html');
      first().headScript = () => Raw.body('<html></html>', 502, 'text/html');
    },
  ],
  [
    'hangs',
    () => {
      first().script = () => hang;
      first().headScript = () => hang;
    },
  ],
];
/** Of the long form: they are noticed at once, as a page is. */
const similarMisbehaviors: Misbehavior[] = [
  [
    'returns errors',
    () => {
      first().script = () => rpcError(-32603, 'Internal error');
      first().headScript = () => rpcError(-32603, 'Internal error');
    },
  ],
  gone,
];

it.each([...misbehaviors, ...(isLong ? similarMisbehaviors : [])])(
  'every read succeeds in time while one of three nodes %s',
  async (_what, misbehave) => {
    await readMany(50);
    await misbehave();
    const reads = await readMany(isLong ? 150 : 80);
    for (const { json } of reads) expect(json).toMatchObject({ result: { params: [expect.any(Number)] } });
    expect(Math.max(...reads.map(({ ms }) => ms))).toBeLessThan(timeoutMs);
    // In the end it is no longer called, so that reads need one attempt.
    await until(async () => (await readMany(20)).every(({ json, attempts }) => attempts === 1 && !isFromFirst(json)));
  },
);

it.each([behind, gone])(
  'every broadcast is received exactly once, by one node, while one of three nodes %s',
  async (_what, misbehave) => {
    await misbehave();
    const transactions = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(transactions.map((each) => gateway.call('condenser_api.broadcast_transaction', [each])));
    const received = nodes.flatMap(({ calls }) =>
      calls.filter(({ method }) => method === 'condenser_api.broadcast_transaction').map(({ params }) => params),
    );
    expect(received.map((params) => JSON.stringify(params)).sort()).toEqual(
      transactions.map((each) => JSON.stringify([each])).sort(),
    );
  },
);

const responses: [string, unknown][] = [
  ['hangs', hang],
  ['is an internal error', rpcError(-32603, 'Internal error')],
  ['comes after 800 ms', 'late'],
];
/** Of the long form: they are noticed at once, as an error is. */
const similarResponses: typeof responses = [
  ['is reset', reset],
  ['is an HTML page', Raw.body('<html></html>', 502, 'text/html')],
];

describe.each([...responses, ...(isLong ? similarResponses : [])])(
  'with a node that reports its head, but whose response to every call %s',
  (_what, response) => {
    beforeEach(() => {
      first().script = () => (response === 'late' ? setTimeout(800, 'late') : response);
    });

    it('at most three reads are slow and none fails', async () => {
      const took: number[] = [];
      // A busy machine delays reads too.
      const stalls = monitorEventLoopDelay({ resolution: 10 });
      stalls.enable();
      for (let read = 0; read < 60; read += 1) {
        stalls.reset();
        const startedMs = performance.now();
        expect((await gateway.call('bridge.get_post', [(last += 1)])).json).toMatchObject({
          result: expect.anything(),
        });
        took.push(performance.now() - startedMs - stalls.max / 1e6);
      }
      stalls.disable();
      expect(took.filter((ms) => ms > 200).length).toBeLessThanOrEqual(3);
    });

    it('at most one write fails, and each is sent once', async () => {
      let failed = 0;
      for (let write = 0; write < 12; write += 1) {
        const { json } = await gateway.call('condenser_api.broadcast_transaction', [write]);
        if (!JSON.stringify(json).includes('"result"')) failed += 1;
      }
      expect(failed).toBeLessThanOrEqual(1);
      const received = nodes.flatMap(({ calls }) => calls.map(({ params }) => JSON.stringify(params)));
      expect(received).toHaveLength(12);
      expect(new Set(received).size).toBe(12);
    });
  },
);

it('calls a node again that has recovered', async () => {
  first().headScript = () => Raw.body('later', 503);
  first().script = () => Raw.body('later', 503);
  await until(async () => !(await anyFromFirst()));
  first().headScript = undefined;
  first().script = () => ({ from: 0 });
  await until(anyFromFirst);
});

it('calls another node if one does not have the method', async () => {
  first().script = () => rpcError(-32003, 'Assert Exception:Could not find API bridge');
  for (const { json } of await readMany(30)) expect(json).toMatchObject({ result: expect.anything() });
  for (const node of nodes) node.script = () => rpcError(-32601, 'Method not found');
  expect((await gateway.call('bridge.nothing')).json).toMatchObject({ error: { code: -32601 } });
});

it('does not call another node if one rejects the parameters', async () => {
  for (const node of nodes) node.script = () => rpcError(-32003, 'Assert Exception:no such post');
  const { headers, json } = await gateway.call('condenser_api.get_content', ['rejected']);
  expect(json).toMatchObject({ error: { code: -32003 } });
  expect(headers['x-gateway-attempts']).toBe('1');
});

describe('a slow read', () => {
  it('is sent to a second node, and the first response wins', async () => {
    let calls = 0;
    for (const node of nodes) node.script = ({ params }) => ((calls += 1) === 1 ? hang : { params });
    const startedMs = performance.now();
    const { headers, json } = await gateway.call('bridge.get_discussion', ['hedged']);
    expect(json).toMatchObject({ result: { params: ['hedged'] } });
    expect(headers['x-gateway-attempts']).toBe('2');
    // Its share of the time would be 10 s.
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it('is sent to a second node in a tenth of cases if all are slow', async () => {
    for (const node of nodes) {
      const { script } = node;
      node.script = (call) => setTimeout(300, script(call));
    }
    const reads = await readMany(100, 'bridge.get_discussion');
    const hedged = reads.filter(({ attempts }) => attempts > 1).length;
    expect(hedged).toBeGreaterThan(0);
    // Ten at once, and one for every ten reads.
    expect(hedged).toBeLessThanOrEqual(10 + Math.ceil(reads.length / 10));
  });
});

it('coalesces identical concurrent reads', async () => {
  for (const node of nodes) node.script = ({ params }) => ({ params });
  const call = { jsonrpc: '2.0', method: 'condenser_api.get_accounts', params: [['alice']] };
  const { json, headers } = await gateway.post(
    '/rpc',
    Array.from({ length: 30 }, (_, id) => ({ ...call, id })),
  );
  expect(json).toEqual(
    Array.from({ length: 30 }, (_, id) => ({ jsonrpc: '2.0', id, result: { params: [['alice']] } })),
  );
  expect(headers['x-gateway-cache']).toBe(`miss${', coalesced'.repeat(29)}`);
  expect(nodes.flatMap(({ calls }) => calls)).toHaveLength(1);
});

it('rejects calls at once if too many are queued', async () => {
  const narrow = routesHead.replace(
    '{ nodes: HIVE_API_NODES }',
    '{ nodes: HIVE_API_NODES, connections: 2, waiting: 3 }',
  );
  const small = await GatewayUnderTest.start([first().url], { routes: `${narrow}  bridge:`, database, index: 'none' });
  first().script = () => hang;
  const responses: string[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      responses.push((await small.call('bridge.get_post', [index])).text);
    }),
  );
  await small.stop();
  const kinds = responses.map((response) => /"kind":"(\w+)"/.exec(response)?.[1]);
  // The rejected ones come first: they do not wait until a call times out.
  expect(kinds).toEqual([...Array<string>(15).fill('overloaded'), ...Array<string>(5).fill('timeout')]);
});
