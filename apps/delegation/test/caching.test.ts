import { blocksFrom, blockWith, delegate, timeOf } from './blocks';
import { DelegationUnderTest } from './delegation-under-test';

const everything = [
  'account?account=alice',
  'account?account=bob',
  'account?account=alice&as_of_block=1',
  'in?account=alice',
  'in?account=bob',
  'in?account=bob&limit=1',
  'in?account=bob&limit=2',
  'in?account=bob&after_id=0',
  'in?account=bob&as_of_block=1',
  'out?account=bob',
  'history/in?account=bob',
  'history/in?account=bob&descending=false',
  'history/out?account=bob',
  'pair?delegator=alice&delegatee=bob',
  'pair?delegator=alice&delegatee=bob&as_of_block=1',
  'pair?delegator=bob&delegatee=alice',
  'returns?account=bob',
];

describe('a cached response', () => {
  let service: DelegationUnderTest;
  let block = 1;
  beforeAll(async () => {
    service = await DelegationUnderTest.start({ corsOrigins: ['https://app.example'] });
    await service.feed.begin();
    await service.feed.apply(blocksFrom(1, [[delegate('alice', 'bob', 5n), delegate('carol', 'bob', 6n)]]));
  });
  afterAll(() => service.stop());

  const get = (path: string, headers: Record<string, string> = {}) => service.get(`/api/deleg/${path}`, headers);
  const nextBlock = async () => {
    block += 1;
    await service.feed.apply([blockWith(block)]);
  };

  it('has a different ETag for each account, parameter, format and block', async () => {
    const tags = new Set<string>();
    let requests = 0;
    for (let round = 0; round < 2; round += 1) {
      for (const path of everything) {
        for (const accept of ['application/json', 'text/csv']) {
          const { headers } = await get(path, { accept });
          // Only lists have a CSV form.
          if (accept === 'text/csv' && !headers['content-type']?.startsWith('text/csv')) continue;
          tags.add(headers['etag'] ?? '');
          requests += 1;
        }
      }
      await nextBlock();
    }
    expect(tags.size).toBe(requests);
    expect(requests).toBeGreaterThan(50);
  });

  it('is revalidated with 304 until the next block', async () => {
    for (const [index, path] of everything.entries()) {
      const first = await get(path);
      const tag = first.headers['etag'] ?? '';
      const again = await get(path, { 'if-none-match': `"other", ${tag}` });
      expect([path, again.status, again.text]).toEqual([path, 304, '']);
      for (const name of ['etag', 'vary', 'cache-control', 'x-synced-block', 'x-sync-lag-seconds', 'x-request-id']) {
        expect([path, name, again.headers[name] !== undefined]).toEqual([path, name, true]);
      }
      const other = everything[(index + 1) % everything.length] ?? path;
      expect([path, other, (await get(other, { 'if-none-match': tag })).status]).toEqual([path, other, 200]);
    }
    const { headers } = await get('in?account=bob');
    await nextBlock();
    expect((await get('in?account=bob', { 'if-none-match': headers['etag'] ?? '' })).status).toBe(200);
  });

  it('is revalidated each time, and varies with format and origin', async () => {
    const { headers } = await get('in?account=bob', { origin: 'https://app.example' });
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['vary']?.split(/, */)).toEqual(expect.arrayContaining(['Origin', 'Accept']));
    expect(headers['access-control-expose-headers']).toContain('X-Synced-Block');
    expect((await get('in?account=bob')).headers['vary']).toMatch(/Accept/);
  });

  it('has the number and the age of its last block', async () => {
    const { headers } = await get('account?account=alice');
    expect(headers['x-synced-block']).toBe(String(block));
    const lag = (Date.now() - timeOf(block).getTime()) / 1_000;
    expect(Math.abs(Number(headers['x-sync-lag-seconds']) - lag)).toBeLessThan(60);
    await nextBlock();
    expect((await get('account?account=alice')).headers['x-synced-block']).toBe(String(block));
  });

  it('is not used for an error, regardless of If-None-Match', async () => {
    expect((await get('in?account=bob', { 'if-none-match': '*' })).status).toBe(200);
    for (const [path, status] of [
      ['in?account=bob&as_of_block=99', 404],
      ['in?account=bob&after_id=99', 400],
    ] as const) {
      expect([path, (await get(path, { 'if-none-match': '*' })).status]).toEqual([path, status]);
    }
  });

  it('is never an error', async () => {
    const { status, headers } = await get('in?account=x');
    expect([status, headers['cache-control'], headers['etag']]).toEqual([400, 'no-store', undefined]);
  });
});
