import { z } from 'zod';
import { HiveClient } from '../src';
import { ApiNode, page, type Respond, result, rpcError, silence } from './api-node';

/** Answers the head query honestly and everything else by the fault, which is what hid these faults from a check of the head. */
function butForTheHead(fault: Respond, node: ApiNode): Respond {
  return (request, response) => {
    const asksHead = request.method === 'database_api.get_dynamic_global_properties';
    const { headBlock } = node;
    const head = {
      head_block_number: headBlock,
      head_block_id: headBlock.toString(16).padStart(8, '0').padEnd(40, '0'),
      time: '2026-01-01T00:00:00',
      last_irreversible_block_num: headBlock - 1,
    };
    (asksHead ? result(head) : fault)(request, response);
  };
}

const after =
  (ms: number, then: Respond): Respond =>
  (request, response) => {
    setTimeout(() => {
      if (!response.destroyed) then(request, response);
    }, ms).unref();
  };
let turn = 0;
/** Every fifth call is answered, and the others late. */
const mostlyLate: Respond = (request, response) => {
  turn += 1;
  (turn % 5 === 0 ? result('pong') : after(8_000, result('pong')))(request, response);
};

const faults: readonly (readonly [string, Respond])[] = [
  ['hangs', silence],
  ['never ends its answer', (_, response) => void response.write('{"jsonrpc":')],
  ['is slow', after(800, result('pong'))],
  ['answers most calls after 8 s', mostlyLate],
  ['resets the connection', (_, response) => void response.socket?.resetAndDestroy()],
  ['closes the connection', (_, response) => void response.destroy()],
  [
    'breaks off its answer',
    (_, response) => void response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
  ],
  ['answers 429', page(429)],
  ['answers 500', page(500)],
  ['answers 502', page(502)],
  ['answers 503', page(503)],
  ['answers 404', page(404)],
  ['redirects', page(302)],
  ['answers a page', page(200)],
  ['answers nothing', page(200, '')],
  ['answers half of the JSON', page(200, '{"jsonrpc":"2.0","id":1,"resu')],
  ['answers another request', page(200, '{"jsonrpc":"2.0","id":77,"result":"pong"}')],
  ['answers in another shape', result({ pong: true })],
  ['has an internal error', rpcError(-32603, 'Internal error')],
  ['has no lock on its database', rpcError(-32003, 'Unable to acquire database lock')],
  ['has no upstream', rpcError(1100, 'Bad or missing upstream response')],
  ['answers too much', result('x'.repeat(20_000))],
];
const kinds = [
  ['reads', 'condenser_api.get_accounts'],
  ['blocks', 'block_api.get_block_range'],
] as const;

let nodes: [ApiNode, ApiNode];
let client: HiveClient;

beforeEach(async () => {
  nodes = [await ApiNode.start(), await ApiNode.start()];
  const urls = nodes.map(({ url }) => url);
  client = new HiveClient({ urls, timeoutMs: 1_000, cooldownMs: 200, probeIntervalMs: 50, maxAnswerBytes: 10_000 });
  await client.probe();
});

afterEach(async () => {
  await client.close();
  await Promise.all(nodes.map((node) => node.stop()));
});

/** Milliseconds that each of so many calls took, one after the other. */
async function measure(method: string, count: number): Promise<number[]> {
  const took: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const startedMs = performance.now();
    expect(await client.call(method, {}, z.string())).toBe('pong');
    took.push(performance.now() - startedMs);
  }
  return took;
}

/** Longer than a call to a node that is well takes under load, and shorter than a hedge. */
const ownLatencyMs = 200;

describe.each(kinds)('%s beside a node that answers its head and', (_kind, method) => {
  test.each(faults)('%s', async (_fault, fault) => {
    const [bad] = nodes;
    bad.fault = butForTheHead(fault, bad);
    const took = await measure(method, 100);
    const slow = took.filter((ms) => ms > ownLatencyMs);
    // At most three calls find out that the node fails.
    expect(slow.length).toBeLessThanOrEqual(3);
    // Besides, trials after a pause, of which no caller waits.
    expect(bad.calls.length).toBeLessThanOrEqual(8);
  });
});

test('a node that is well again is used again within seconds', async () => {
  const [first, second] = nodes;
  first.fault = butForTheHead(page(503), first);
  await measure('condenser_api.get_accounts', 50);
  first.fault = undefined;
  second.fault = butForTheHead(page(503), second);
  const startedMs = performance.now();
  while (client.status().find(({ node }) => node === first.name)?.state !== 'usable')
    await measure('condenser_api.get_accounts', 1);
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});
