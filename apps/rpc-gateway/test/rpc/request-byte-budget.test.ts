import { setTimeout } from 'node:timers/promises';
import { until } from '@waggle/testing';
import { MemoryCache } from '../../src/cache/memory-cache';
import { RequestByteBudget } from '../../src/rpc/request-byte-budget';
import { Backend } from '../../src/upstream/backend';
import { ChainHead } from '../../src/upstream/chain-head';
import { Upstream } from '../../src/upstream/upstream';
import { Raw, ScriptedNode, type Script } from '../support/scripted-node';

const settings = { name: 'hive', connections: 4, maxQueued: 4, hedgePercent: 100, maxResponseBytes: 1_000_000 };
const text = 'x'.repeat(100_000);
/** Enough for one result. */
const roomBytes = 150_000;

let nodes: ScriptedNode[];
let backend: Backend;
beforeEach(async () => {
  nodes = await Promise.all([ScriptedNode.start(), ScriptedNode.start()]);
  backend = new Backend({ ...settings, sharesCursors: false, reportsHead: true, urls: nodes.map(({ url }) => url) });
});
afterEach(async () => {
  await backend.pool.close();
  await Promise.all(nodes.map((node) => node.stop()));
});

const call = (bytes: number) => ({
  method: 'bridge.get_post',
  paramsText: '[]',
  budget: new RequestByteBudget(bytes),
});
const route = (hedgeMs?: number) =>
  ({
    ...{ name: 'bridge', to: 'hive', timeoutMs: 5_000, retries: 2, hedgeMs, staleMs: 0, isWrite: false },
    cache: { kind: 'none' },
  }) as const;
const read = (hedgeMs?: number) => backend.read(call(roomBytes), route(hedgeMs), 5_000);
const script = (each: Script) => {
  for (const node of nodes) node.script = each;
};

it('returns a response that fits, even while another node sends it too', async () => {
  const ends: (() => void)[] = [];
  let closed = 0;
  script(
    () =>
      new Raw((response, { id }) => {
        const body = JSON.stringify({ jsonrpc: '2.0', result: text, id });
        response.write(body.slice(0, 90_000));
        response.on('close', () => (closed += 1));
        ends.push(() => response.end(body.slice(90_000)));
      }),
  );
  const outcome = read(1);
  // The response whose bytes did not fit in addition to the other's.
  await until(() => ends.length === 2 && closed > 0);
  for (const end of ends) end();
  expect(await outcome).toMatchObject({ reply: { kind: 'result' }, called: { length: 2 } });
});

it('rejects a response that does not fit, and calls no other node', async () => {
  script(() => text + text);
  expect(await read()).toMatchObject({ reply: { kind: 'over-budget' }, called: { length: 1 } });
});

it('releases the bytes of an invalid response before the next node responds', async () => {
  const isFirst = () => nodes.flatMap(({ calls }) => calls).length === 1;
  script(() => (isFirst() ? Raw.body(`<html>${text}`) : text));
  expect(await read()).toMatchObject({ reply: { kind: 'result' }, called: { length: 2 } });
});

it('calls a node itself, in its remaining time, if the call it joined has too small a budget', async () => {
  const upstream = new Upstream(new Map([['hive', backend]]), new ChainHead(), new MemoryCache(1_000_000), undefined);
  const post = (bytes: number) =>
    upstream.respond(
      { ...call(bytes), id: '1', params: [], isViaCall: false },
      { ...route(), timeoutMs: 30_000, retries: 0 },
    );
  const calls = () => nodes.flatMap((node) => node.calls).length;
  script(() => (calls() === 1 ? setTimeout(500, text) : text));
  const reads = jest.spyOn(backend, 'read');
  expect(await Promise.all([post(10), post(roomBytes)])).toMatchObject([
    { outcome: 'too-long' },
    { outcome: 'result', attempts: 1 },
  ]);
  expect(calls()).toBe(2);
  const [first, second = 0] = reads.mock.calls.map(([, , timeoutMs]) => timeoutMs);
  expect(first).toBe(30_000);
  // A timer may fire slightly early.
  expect(second).toBeLessThan(29_502);
});
