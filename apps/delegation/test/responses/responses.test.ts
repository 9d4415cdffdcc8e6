import { gunzipSync } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { blocksFrom, blockWith, delegate, timeOf } from '../support/blocks';
import { DelegationUnderTest } from '../support/delegation-under-test';

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

/** Rows of the longest list: 80 KB as JSON, so that it is sent in pieces. */
const many = 1_000;

describe('compression', () => {
  let service: DelegationUnderTest;
  beforeAll(async () => {
    service = await DelegationUnderTest.start();
    await service.feed.begin();
    const toBob = Array.from({ length: many + 1 }, (_none, index) =>
      delegate(`from-${index}`, 'bob', BigInt(index + 1)),
    );
    await service.feed.apply(blocksFrom(1, [toBob]));
  });
  afterAll(() => service.stop());

  interface RequestOptions {
    readonly method?: Dispatcher.HttpMethod;
    readonly headers?: Readonly<Record<string, string>>;
  }

  async function fetchWith(
    path: string,
    accepted: string | undefined,
    { method = 'GET', headers = {} }: RequestOptions = {},
  ) {
    const response = await request(service.url + path, {
      method,
      headers: { ...headers, ...(accepted !== undefined && { 'accept-encoding': accepted }) },
    });
    const received = Buffer.from(await response.body.arrayBuffer());
    return {
      status: response.statusCode,
      headers: response.headers,
      encoding: response.headers['content-encoding'],
      received,
    };
  }

  const list = (limit: number) => `/api/deleg/in?account=bob&limit=${limit}`;
  const variesWith = (headers: Dispatcher.ResponseData['headers']) => String(headers['vary']).toLowerCase().split(', ');

  it.each([100, many])('of a list of %i items is used for clients that accept it', async (limit) => {
    const plain = await fetchWith(list(limit), undefined);
    expect([plain.encoding, plain.headers['content-length']]).toEqual([undefined, String(plain.received.length)]);
    for (const accepted of ['gzip', 'br, gzip;q=0.5', 'GZIP;q=1.0, identity;q=0.5', 'x-gzip', '*', 'gzip, *;q=0']) {
      const { headers, encoding, received } = await fetchWith(list(limit), accepted);
      expect([accepted, encoding]).toEqual([accepted, 'gzip']);
      expect(gunzipSync(received).equals(plain.received)).toBe(true);
      expect(received.length).toBeLessThan(plain.received.length / 3);
      expect(headers['content-length'] ?? String(received.length)).toBe(String(received.length));
      expect(headers['link']).toBe(plain.headers['link']);
    }
  });

  it.each([
    [5, 'gzip'],
    [100, 'gzip;q=0'],
    [100, 'gzip; q=0.000, br'],
    [100, 'gzip;q=0.4, identity;q=0.6'],
    [100, '*;q=0'],
    [100, 'identity'],
    [many, 'br'],
    [many, ''],
  ])('of a list of %i items is not used with Accept-Encoding %s', async (limit, accepted) => {
    const { encoding, received } = await fetchWith(list(limit), accepted);
    expect(encoding).toBeUndefined();
    expect(JSON.parse(received.toString())).toHaveLength(limit);
  });

  it('lets caches distinguish the encodings, which share a weak ETag', async () => {
    const path = list(100);
    const [plain, compressed] = [await fetchWith(path, undefined), await fetchWith(path, 'gzip')];
    const tag = String(compressed.headers['etag']);
    expect(tag).toMatch(/^W\/"[^"]+"$/);
    expect(plain.headers['etag']).toBe(tag);
    for (const { headers } of [plain, compressed]) expect(variesWith(headers)).toEqual(['accept', 'accept-encoding']);

    // Earlier versions had strong tags.
    for (const held of [tag, tag.replace('W/', '')]) {
      const unchanged = await fetchWith(path, 'gzip', { headers: { 'if-none-match': held } });
      expect([unchanged.status, unchanged.encoding, unchanged.received.length]).toEqual([304, undefined, 0]);
      expect([unchanged.headers['etag'], unchanged.headers['vary']]).toEqual([tag, compressed.headers['vary']]);
    }
  });

  it('omits the length in responses to HEAD', async () => {
    for (const accept of ['application/json', 'text/csv']) {
      const headers = { accept };
      const plain = await fetchWith(list(100), undefined, { headers });
      const head = await fetchWith(list(100), undefined, { headers, method: 'HEAD' });
      expect([head.status, head.headers['content-length']]).toEqual([200, plain.headers['content-length']]);

      const headOfCompressed = await fetchWith(list(100), 'gzip', { headers, method: 'HEAD' });
      expect([headOfCompressed.status, headOfCompressed.headers['content-length']]).toEqual([200, undefined]);
      for (const name of ['etag', 'vary', 'content-type', 'x-synced-block'])
        expect([name, headOfCompressed.headers[name]]).toEqual([name, plain.headers[name]]);
    }
  });

  it('of an export yields the same file', async () => {
    const headers = { accept: 'text/csv' };
    const plain = await fetchWith('/api/deleg/in?account=bob', undefined, { headers });
    const compressed = await fetchWith('/api/deleg/in?account=bob', 'gzip', { headers });
    expect([plain.encoding, compressed.encoding]).toEqual([undefined, 'gzip']);
    expect(gunzipSync(compressed.received).equals(plain.received)).toBe(true);
    expect(variesWith(compressed.headers)).toEqual(['accept', 'accept-encoding']);
    const byFetch = await fetch(`${service.url}/api/deleg/in?account=bob`, { headers });
    expect(await byFetch.text()).toBe(plain.received.toString());
  });

  it('is used for the API documentation', async () => {
    for (const path of ['/docs/json', '/docs/swagger-ui.css']) {
      const [plain, compressed] = [await fetchWith(path, undefined), await fetchWith(path, 'gzip')];
      expect([path, plain.status, plain.encoding, compressed.encoding]).toEqual([path, 200, undefined, 'gzip']);
      expect(gunzipSync(compressed.received).equals(plain.received)).toBe(true);
      expect(compressed.headers['content-security-policy']).toBe(plain.headers['content-security-policy']);
      expect([path, (await fetchWith(path, 'gzip', { method: 'HEAD' })).status]).toEqual([path, 200]);
    }
  });
});
