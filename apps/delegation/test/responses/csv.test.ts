import { once } from 'node:events';
import { type ClientRequest, get as httpGet, type IncomingMessage } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { restError } from '@waggle/contracts';
import { until } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { formatVests } from '../../src/amounts/vests';
import { blocksFrom, delegate } from '../support/blocks';
import { DelegationUnderTest } from '../support/delegation-under-test';

const many = 5_000;
const names = Array.from({ length: many }, (_none, index) => `from-${index}`);
/** Lists of 5 MB: the buffers between the service and its reader hold at most 4. */
const long = 85_000;
/** Delegates to all receivers. */
const delegator = 'long-delegator-1';
/** Their delegation changes as often. */
const [changing, delegatee] = ['long-delegator-2', 'long-delegatee-2'];
const longCurrent = `out?account=${delegator}`;
const longHistory = `history/in?account=${delegatee}&descending=false`;
const receivers = Array.from({ length: long }, (_none, index) => `received-${String(index).padStart(7, '0')}`);

describe('lists as CSV', () => {
  let service: DelegationUnderTest;
  let database: Client;
  beforeAll(async () => {
    service = await DelegationUnderTest.start({ database: { poolSize: 3 }, exports: { maxConcurrent: 5 } });
    await service.feed.begin();
    await service.feed.apply(blocksFrom(1, [names.map((name) => delegate(name, 'bob', 1_000_000_000_000_001n))]));
    const toAll = receivers.map((name) => delegate(delegator, name, 100_000_000_000_001n));
    await service.feed.apply(blocksFrom(2, [[delegate(changing, delegatee, 1n), ...toAll]]));
    database = new Client({ connectionString: service.database.url });
    await database.connect();
    // Of the same block.
    await database.query(
      `INSERT INTO delegation_change (id, delegation_id, delegator, delegatee, amount, created)
       SELECT last + n, delegation_id, delegator, delegatee, n, created
       FROM delegation_change, (SELECT max(id) AS last FROM delegation_change), generate_series(1, $1::int) n
       WHERE delegatee = $2`,
      [long - 1, delegatee],
    );
  });
  afterAll(async () => {
    await database.end();
    await service.stop();
  });

  const csv = (path: string) => service.get(`/api/deleg/${path}`, { accept: 'text/csv' });

  it('have a header line, line ends of RFC 4180, and exact amounts', async () => {
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

  it('have their own route in the metrics, since they take long', async () => {
    await csv('account?account=bob');
    await until(async () =>
      (await service.get('/metrics')).text.includes('{method="GET",route="/api/deleg/account download",status="200"}'),
    );
    expect((await service.get('/metrics')).text).not.toContain('route="/api/deleg/account",');
  });

  it('are complete even beyond the limit of JSON lists, and continue from any id', async () => {
    const rows = (await csv('in?account=bob')).text.split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.split(',')[1])).toEqual(names);
    const rest = (await csv('in?account=bob&after_id=3500')).text.split('\r\n').slice(1, -1);
    expect(rest).toEqual(rows.slice(3_500));
    const limited = (await csv('in?account=bob&limit=2500&after_id=10')).text.split('\r\n').slice(1, -1);
    expect(limited).toEqual(rows.slice(10, 2_510));
    const latestFirst = (await csv('history/in?account=bob')).text.split('\r\n').slice(1, -1);
    expect(latestFirst.map((row) => row.split(',')[2])).toEqual(names.toReversed());
  });

  it('are consistent with the block in their header while blocks are applied', async () => {
    const current = await openSlowly(service, { path: longCurrent, localAddress: '127.0.0.2' });
    const history = await openSlowly(service, { path: longHistory, localAddress: '127.0.0.3' });
    const changed = receivers
      .filter((_name, index) => index % 60 === 0)
      .map((name, index) => delegate(delegator, name, index % 2 === 0 ? 0n : 5n));
    const added = delegate(delegator, 'newcomer', 1n);
    await service.feed.apply(
      blocksFrom(3, [changed, [added, delegate(changing, delegatee, 0n)], changed.slice(500)]),
      1,
    );
    for (const { headers } of [current, history]) expect(headers['x-synced-block']).toBe('2');
    const [currentText, historyText] = [await readAll(current), await readAll(history)];
    const lines = receivers.map((name, index) => `${many + 2 + index},${delegator},${name},100000000.000001`);
    expect(currentText === ['id,delegator,delegatee,amount', ...lines, ''].join('\r\n')).toBe(true);
    const firstId = 2 * 2 ** 20;
    const changes = Array.from({ length: long }, (_none, n) => {
      const [id, amount] = n === 0 ? [firstId, 1] : [firstId + long + n, n];
      return `${id},2026-01-01T00:00:06,${changing},${delegatee},${formatVests(String(amount))}`;
    });
    expect(historyText === ['id,created,delegator,delegatee,amount', ...changes, ''].join('\r\n')).toBe(true);

    // The same as of that block afterwards.
    const limit = isLong ? 20_000 : 2_000;
    const linesOf = async (path: string) =>
      (await csv(`${path}&as_of_block=2&limit=${limit}`)).text.split('\r\n').slice(1, -1).join();
    expect((await linesOf(longCurrent)) === lines.slice(0, limit).join()).toBe(true);
    const latestFirst = changes.toReversed().slice(0, limit).join();
    expect((await linesOf(`history/in?account=${delegatee}`)) === latestFirst).toBe(true);
    expect((await csv('in?account=newcomer')).headers['x-synced-block']).toBe('5');
  });

  it('are rejected with the same errors as JSON', async () => {
    for (const [path, status] of [
      ['in?account=BOB', 400],
      ['in?account=bob&limit=1000001', 400],
      ['in?account=bob&after_id=999999', 400],
      ['in?account=bob&as_of_block=99', 404],
    ] as const) {
      const response = await csv(path);
      expect([path, response.status]).toEqual([path, status]);
      expect(restError.parse(JSON.parse(response.text)).statusCode).toBe(status);
    }
  });

  it('are limited to one at a time per address, which can start another after it disconnects', async () => {
    const open = await openSlowly(service, { localAddress: '127.0.0.1' });
    const rejected = await csv('in?account=alice');
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '5']);
    expect(restError.parse(JSON.parse(rejected.text)).code).toBe('rate-limited');
    expect((await service.get('/api/deleg/in?account=alice')).status).toBe(200);
    open.destroy();
    await until(async () => (await csv('in?account=alice')).status === 200);
  });

  it('are not read from the database for HEAD', async () => {
    const { status } = await fetch(`${service.url}/api/deleg/${longCurrent}`, {
      method: 'HEAD',
      headers: { accept: 'text/csv' },
    });
    expect(status).toBe(200);
    expect((await csv('in?account=alice')).status).toBe(200);
  });

  it('hold no connection and no transaction while readers stall', async () => {
    // More of them than the pool has connections.
    const stalled = await Promise.all(
      Array.from({ length: 4 }, (_none, index) => openSlowly(service, { localAddress: `127.0.0.${index + 2}` })),
    );
    await until(async () => {
      const { rows } = await database.query<{ state: string }>(
        `SELECT state FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'waggle-delegation'`,
      );
      return rows.length > 0 && rows.every(({ state }) => state === 'idle');
    });
    expect((await csv('in?account=bob')).text.split('\r\n')[1]).toMatch(/^1,from-0,bob,/);
    expect((await service.get('/api/deleg/in?account=bob&as_of_block=1')).status).toBe(200);

    // As many as may run at once.
    stalled.push(await openSlowly(service, { localAddress: '127.0.0.6' }));
    const rejected = await csv('in?account=bob');
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '5']);
    for (const each of stalled) each.destroy();
    await until(async () => (await csv('in?account=alice')).status === 200);
  });

  it('are cancelled if the client disconnects before they begin', async () => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const request = openRequest(service, { localAddress: '127.0.0.20' });
      await once(request, 'finish');
      request.once('error', () => undefined).destroy();
    }
    await until(async () => {
      const open = await openSlowly(service, { localAddress: '127.0.0.20' });
      open.destroy();
      return open.statusCode === 200;
    });
  });

  it('are aborted if the reader is too slow, so that the file is visibly incomplete', async () => {
    const hasty = await DelegationUnderTest.start(
      { exports: { maxConcurrent: 1, maxDurationMs: 500 } },
      service.database,
    );
    const slow = await openSlowly(hasty);
    const path = '/api/deleg/in?account=alice';
    await until(async () => (await hasty.get(path, { accept: 'text/csv' })).status === 200);
    await expect(readAll(slow)).rejects.toThrow(/aborted/);
    await hasty.stop();
  });

  it('are aborted when compressed too, after which the address can start another', async () => {
    // Shorter than the export takes.
    const hasty = await DelegationUnderTest.start({ exports: { maxDurationMs: 20 } }, service.database);
    const open = () => openSlowly(hasty, { path: longCurrent, encoding: 'gzip' });
    let file = await open();
    // On a busy machine the time may end before the first row is read.
    await until(async () => {
      if (file.statusCode === 200) return true;
      file.destroy();
      file = await open();
      return false;
    });
    expect(file.headers['content-encoding']).toBe('gzip');
    await expect(readAll(file)).rejects.toThrow(/aborted/);
    const headers = { accept: 'text/csv', 'accept-encoding': 'gzip' };
    expect((await hasty.get('/api/deleg/in?account=alice', headers)).status).toBe(200);
    await hasty.stop();
  });
});

interface Opened {
  /** By default a list that is longer than the buffers. */
  readonly path?: string;
  readonly localAddress?: string;
  readonly encoding?: string;
}

function openRequest({ url }: DelegationUnderTest, opened: Opened): ClientRequest {
  const { path = longHistory, localAddress, encoding = 'identity' } = opened;
  const headers = { accept: 'text/csv', 'accept-encoding': encoding };
  return httpGet(`${url}/api/deleg/${path}`, { headers, agent: false, localAddress });
}

/** A response that started, but is not read. */
async function openSlowly(service: DelegationUnderTest, opened: Opened = {}): Promise<IncomingMessage> {
  const [response] = (await once(openRequest(service, opened), 'response')) as [IncomingMessage];
  response.socket.pause();
  return response;
}
