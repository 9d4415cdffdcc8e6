import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { isLong } from '@waggle/testing/long-form';
import { HiveClient, HiveNode, NodeHealth, NodePool, recordForwardedCalls } from '../src';
import { resultReader } from '../src/node/http/json-rpc';
import { ApiNode, page, type Respond, result, rpcError, silence } from './api-node';

/**
 * `LONG=true npx jest node-faults`: more calls, with the pauses of production, and the recovery after each fault;
 * prints the table.
 */
const callCount = isLong ? 1_000 : 40;
const timeoutMs = 1_000;
const maxResponseBytes = 10_000;

/** Longer than a call to a healthy node takes under load, and shorter than a hedge. */
const ownLatencyMs = 200;
/** Three calls may fail before the node is ejected, and a busy machine may delay a few. */
const maxLate = 6;

/** Reports its head correctly and fails everything else: a check of the head does not notice that. */
function exceptHead(fault: Respond, node: ApiNode): Respond {
  return (request, response) => {
    if (request.method === 'database_api.get_dynamic_global_properties') result(node.head)(request, response);
    else fault(request, response);
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
/** Responds late to all but every fifth call. */
const mostlyLate: Respond = (request, response) => {
  turn += 1;
  (turn % 5 === 0 ? result('pong') : after(8_000, result('pong')))(request, response);
};

const faults: readonly (readonly [string, Respond])[] = [
  ['hangs', silence],
  ['never ends its response', (_, response) => void response.write('{"jsonrpc":')],
  ['is slow', after(800, result('pong'))],
  ['responds to most calls after 8 s', mostlyLate],
  ['resets the connection', (_, response) => void response.socket?.resetAndDestroy()],
  ['closes the connection', (_, response) => void response.destroy()],
  [
    'breaks off its response',
    (_, response) => void response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
  ],
  ['responds with 429', page(429)],
  ['responds with 500', page(500)],
  ['responds with 502', page(502)],
  ['responds with 503', page(503)],
  ['responds with 404', page(404)],
  ['redirects', page(302)],
  ['responds with a page', page(200)],
  ['responds with nothing', page(200, '')],
  ['responds with half of the JSON', page(200, '{"jsonrpc":"2.0","id":1,"resu')],
  ['responds to another request', page(200, '{"jsonrpc":"2.0","id":77,"result":"pong"}')],
  ['responds in another shape', result({ pong: true })],
  ['has an internal error', rpcError(-32603, 'Internal error')],
  ['has no lock on its database', rpcError(-32003, 'Unable to acquire database lock')],
  ['has no upstream', rpcError(1100, 'Bad or missing upstream response')],
  ['responds with too much', result('x'.repeat(20_000))],
];
/** Calls of one kind to two nodes. */
interface Caller {
  /** Resolves when the call ends, with whether it succeeded. */
  call(number: number): Promise<boolean>;
  close(): Promise<void>;
}

function readerOf(method: string): (urls: readonly string[]) => Caller {
  return (urls) => {
    const pauses = isLong ? {} : { firstPauseMs: 200, probeIntervalMs: 50 };
    const client = new HiveClient({ urls, timeoutMs, maxResponseBytes, ...pauses });
    return {
      call: async (number) => (await client.call(method, [number], z.string())) === 'pong',
      close: () => client.close(),
    };
  };
}

/** As the gateway forwards them. */
function writer(urls: readonly string[]): Caller {
  const method = 'condenser_api.broadcast_transaction';
  const pauses = { firstMs: 1_000, maxMs: 5_000 };
  const options = { connections: 4, maxQueued: 4, maxResponseBytes, recordReply: recordForwardedCalls };
  const nodes = urls.map((text) => {
    const url = new URL(text);
    return new HiveNode(url, options, new NodeHealth(url.host, { pauses, now: () => performance.now() }));
  });
  const pool = new NodePool(nodes, { hedgePercent: 10 });
  const readResponse = resultReader(method, z.string());
  return {
    call: async (number) => {
      const paramsText = JSON.stringify([number]);
      const { reply } = await pool.write(
        { method, paramsText, kind: 'write', purpose: 'write', readResponse },
        timeoutMs,
      );
      return reply.kind === 'result';
    },
    close: () => pool.close(),
  };
}

const kinds = [
  ['reads', readerOf('condenser_api.get_accounts')],
  ['writes', writer],
  ['blocks', readerOf('block_api.get_block_range')],
] as const;

/** Lines of the table: what was measured, by fault. */
const measured = new Map<string, string[]>();

/** Calls one after the other. @returns how many failed or took longer than the healthy node takes */
async function countLate(caller: Caller): Promise<number> {
  let late = 0;
  for (let number = 0; number < callCount; number += 1) {
    const startedMs = performance.now();
    const hasSucceeded = await caller.call(number);
    if (!hasSucceeded || performance.now() - startedMs > ownLatencyMs) late += 1;
  }
  return late;
}

/** More calls than copies of reads that try the node. */
const regularCalls = 5;

/** Ends the fault, and calls until the node gets regular calls again. @returns how long that took */
async function recover(node: ApiNode, caller: Caller): Promise<number> {
  node.fault = undefined;
  const before = node.calls.length;
  const startedMs = performance.now();
  for (let number = callCount; node.calls.length < before + regularCalls; number += 1) {
    await caller.call(number);
    await wait(20);
  }
  return performance.now() - startedMs;
}

describe.each(kinds)('%s with a node that reports its head and', (kind, start) => {
  let nodes: [ApiNode, ApiNode];
  let caller: Caller;

  beforeEach(async () => {
    nodes = [await ApiNode.start(), await ApiNode.start()];
    caller = start(nodes.map(({ url }) => url));
  });
  afterEach(async () => {
    await caller.close();
    await Promise.all(nodes.map((node) => node.stop()));
  });

  test.each(faults)(
    '%s',
    async (name, fault) => {
      const [bad] = nodes;
      bad.fault = exceptHead(fault, bad);
      const late = await countLate(caller);
      expect(late).toBeLessThanOrEqual(maxLate);
      const received = nodes.flatMap(({ params }) => params.map((each) => JSON.stringify(each)));
      // A write is sent once, whatever becomes of it.
      if (kind === 'writes') expect([received.length, new Set(received).size]).toEqual([callCount, callCount]);
      // In addition to these, a copy of a read tries the node after each pause.
      if (!isLong) expect(bad.calls.length).toBeLessThanOrEqual(8);
      if (!isLong) return;
      const recoveryMs = await recover(bad, caller);
      // A slow write cannot be tried with a copy: the estimate of its latency has to decay.
      expect(recoveryMs).toBeLessThan(kind === 'writes' && name === 'is slow' ? 60_000 : 7_000);
      const cells = measured.get(name) ?? [];
      cells.push(`${late} (${(recoveryMs / 1_000).toFixed(1)} s)`);
      measured.set(name, cells);
    },
    90_000,
  );
});

afterAll(() => {
  if (!isLong) return;
  const rows = [...measured].map(([name, cells]) => `| ${[name, ...cells].join(' | ')} |`);
  const head = ['| the node … | reads | writes | blocks |', '| --- | --- | --- | --- |'];
  process.stdout.write(`${[...head, ...rows].join('\n')}\n`);
});

test('a node that has recovered gets calls again within seconds', async () => {
  const nodes = [await ApiNode.start(), await ApiNode.start()];
  const [first, second] = nodes;
  if (first === undefined || second === undefined) throw new Error('there is no node');
  const caller = readerOf('condenser_api.get_accounts')([first.url, second.url]);
  first.fault = exceptHead(page(503), first);
  await countLate(caller);
  first.fault = undefined;
  second.fault = exceptHead(page(503), second);
  expect(await recover(first, caller)).toBeLessThan(5_000);
  await caller.close();
  await Promise.all(nodes.map((node) => node.stop()));
});
