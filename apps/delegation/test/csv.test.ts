import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { restError } from '@waggle/contracts';
import { until } from '@waggle/testing';
import { Client } from 'pg';
import { blocksFrom, blockWith, delegate } from './blocks';
import { DelegationUnderTest } from './delegation-under-test';

const many = 5_000;
const longHistory = 120_000;
const names = Array.from({ length: many }, (_none, index) => `from-${index}`);

describe('lists as CSV', () => {
  let service: DelegationUnderTest;
  beforeAll(async () => {
    service = await DelegationUnderTest.start({ exports: { atOnce: 2 } });
    await service.feed.begin();
    await service.feed.apply(blocksFrom(1, [names.map((name) => delegate(name, 'bob', 1_000_000_000_000_001n))]));
    await service.feed.apply(blocksFrom(2, [[delegate('alice', 'carol', 1n)]]));
    // A history that no buffers between here and there hold, of the same block.
    const database = new Client({ connectionString: service.database.url });
    await database.connect();
    await database.query(
      `INSERT INTO delegation_change (id, delegation_id, delegator, delegatee, amount, created)
       SELECT id + n, delegation_id, delegator, delegatee, n, created
       FROM delegation_change, generate_series(1, $1::int) n WHERE delegatee = 'carol'`,
      [longHistory - 1],
    );
    await database.end();
  });
  afterAll(() => service.stop());

  const csv = (path: string) => service.get(`/api/deleg/${path}`, { accept: 'text/csv' });

  it('have a header line, lines that end as RFC 4180 says, and exact amounts', async () => {
    const { status, headers, text } = await csv('in?account=bob&limit=2');
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(text).toBe(
      'id,delegator,delegatee,amount\r\n1,from-0,bob,1000000000.000001\r\n2,from-1,bob,1000000000.000001\r\n',
    );
    expect((await csv('account?account=from-0')).text).toBe('account,in,out\r\nfrom-0,0,1000000000.000001\r\n');
    expect((await csv('history/out?account=from-7')).text).toBe(
      `id,created,delegator,delegatee,amount\r\n${2 ** 20 + 7},2026-01-01T00:00:03,from-7,bob,1000000000.000001\r\n`,
    );
    expect((await csv('out?account=nobody')).text).toBe('id,delegator,delegatee,amount\r\n');
  });

  it('are whole, beyond the longest list of JSON, and go on from any id', async () => {
    const rows = (await csv('in?account=bob')).text.split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.split(',')[1])).toEqual(names);
    const rest = (await csv('in?account=bob&after_id=3500')).text.split('\r\n').slice(1, -1);
    expect(rest).toEqual(rows.slice(3_500));
    const limited = (await csv('in?account=bob&limit=2500&after_id=10')).text.split('\r\n').slice(1, -1);
    expect(limited).toEqual(rows.slice(10, 2_510));
    const latestFirst = (await csv('history/in?account=bob')).text.split('\r\n').slice(1, -1);
    expect(latestFirst.map((row) => row.split(',')[2])).toEqual(names.toReversed());
  });

  it('wait for a reader who stops for longer than a transaction else may', async () => {
    const database = new Client({ connectionString: service.database.url });
    await database.connect();
    const open = await openSlowly(service);
    try {
      await until(async () => {
        const { rows } = await database.query<{ waits: boolean }>(
          `SELECT state = 'idle in transaction' AND now() - state_change > interval '5.5 s' AS waits FROM pg_stat_activity
           WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
             AND backend_type = 'client backend'`,
        );
        if (rows.length === 0) throw new Error('the transaction was ended');
        return rows.some(({ waits }) => waits);
      });
      expect((await readAll(open)).split('\r\n')).toHaveLength(longHistory + 2);
    } finally {
      open.destroy();
      await database.end();
    }
  });

  it('are of one moment, though blocks are applied while they are read', async () => {
    const before = (await csv('in?account=bob')).text;
    const open = await openSlowly(service);
    await service.feed.apply([
      blockWith(3, [delegate('alice', 'carol', 0n), ...names.slice(2_000).map((name) => delegate(name, 'bob', 0n))]),
    ]);
    expect(open.headers['x-synced-block']).toBe('2');
    expect((await readAll(open)).split('\r\n')).toHaveLength(longHistory + 2);
    expect((await csv('in?account=bob')).text.split('\r\n')).toHaveLength(2_002);
    expect((await csv('in?account=bob&as_of_block=2')).text).toBe(before);
  });

  it('are refused as JSON is, before they begin', async () => {
    for (const [path, status] of [
      ['in?account=BOB', 400],
      ['in?account=bob&limit=1000001', 400],
      ['in?account=bob&after_id=999999', 400],
      ['in?account=bob&as_of_block=99', 404],
    ] as const) {
      const answer = await csv(path);
      expect([path, answer.status]).toEqual([path, status]);
      expect(restError.parse(JSON.parse(answer.text)).statusCode).toBe(status);
    }
  });

  it('are so many at once, and give their place back when the reader goes', async () => {
    const [first, second] = [await openSlowly(service), await openSlowly(service)];
    const third = await csv('in?account=bob');
    expect([third.status, third.headers['retry-after']]).toEqual([503, '5']);
    // JSON has connections left.
    expect((await service.get('/api/deleg/in?account=bob')).status).toBe(200);
    first.destroy();
    await until(async () => (await csv('in?account=alice')).status === 200);
    second.destroy();
    await until(async () => (await csv('in?account=alice')).status === 200);
  });

  it('break off where the reader takes too long: what is there is then not taken for whole', async () => {
    const hasty = await DelegationUnderTest.start({ exports: { atOnce: 1, mostMs: 2_000 } }, service.database);
    const slow = await openSlowly(hasty);
    const path = '/api/deleg/in?account=alice';
    await until(async () => (await hasty.get(path, { accept: 'text/csv' })).status === 200);
    await expect(readAll(slow)).rejects.toThrow(/aborted/);
    await hasty.stop();
  });
});

/** A file that has begun and of which nothing is read: it is longer than what the buffers between hold. */
async function openSlowly(service: DelegationUnderTest): Promise<IncomingMessage> {
  const request = httpGet(`${service.url}/api/deleg/history/in?account=carol&descending=false`, {
    headers: { accept: 'text/csv' },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.socket.pause();
  return response;
}
