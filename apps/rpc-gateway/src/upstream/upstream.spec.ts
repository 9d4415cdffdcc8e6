import { MemoryCache } from '../cache/memory-cache';
import { RequestByteBudget } from '../rpc/request-byte-budget';
import { Backend } from './backend';
import { ChainHead } from './chain-head';
import { Upstream } from './upstream';

afterEach(() => {
  jest.restoreAllMocks();
});

it('never reports an age beyond the lifetime of a cached response, even if it expires meanwhile', async () => {
  const settings = { name: 'hive', connections: 1, maxQueued: 1, hedgePercent: 0, maxResponseBytes: 1_000 };
  const backend = new Backend({ ...settings, sharesCursors: false, reportsHead: true, urls: ['http://127.0.0.1:1'] });
  const memory = new MemoryCache(1_000_000);
  const cached = {
    member: '"result":1',
    storedAtMs: 0,
    headBlock: undefined,
    freshUntilMs: 1_000,
    staleUntilMs: 1_000,
  };
  memory.store('hive bridge.get_post []', cached);
  const upstream = new Upstream(new Map([['hive', backend]]), new ChainHead(), memory, undefined);
  let clockMs = 999;
  jest.spyOn(Date, 'now').mockImplementation(() => clockMs++);
  const call = { id: '1', method: 'bridge.get_post', params: [], paramsText: '[]', isViaCall: false };
  const route = {
    name: 'bridge',
    to: 'hive',
    timeoutMs: 1,
    retries: 0,
    hedgeMs: undefined,
    staleMs: 0,
    isWrite: false,
  };
  const cache = { kind: 'time', ms: 1_000 } as const;
  expect(await upstream.respond({ ...call, budget: new RequestByteBudget(1_000) }, { ...route, cache })).toMatchObject({
    cache: 'hit',
    ageSeconds: 0,
  });
  await backend.pool.close();
});
