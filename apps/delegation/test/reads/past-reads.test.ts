import { until } from '@waggle/testing';
import { Client } from 'pg';
import { blocksFrom, delegate } from '../support/blocks';
import { DelegationUnderTest } from '../support/delegation-under-test';

describe('requests as of an earlier block', () => {
  let service: DelegationUnderTest;
  let observer: Client;
  let locker: Client;
  beforeAll(async () => {
    service = await DelegationUnderTest.start({ trustedProxies: ['loopback'] });
    await service.feed.begin();
    await service.feed.apply(blocksFrom(1, [[delegate('alice', 'bob', 5n)]]));
    observer = new Client({ connectionString: service.database.url });
    locker = new Client({ connectionString: service.database.url });
    await Promise.all([observer.connect(), locker.connect()]);
  });
  afterAll(async () => {
    await Promise.all([observer.end(), locker.end()]);
    await service.stop();
  });

  /** Sends a request from an address, over a connection of its own. */
  const get = (address: string, path: string, cursor = '') =>
    fetch(`${service.url}/api/deleg/${path}?account=bob&as_of_block=1${cursor}`, {
      headers: { 'x-forwarded-for': address },
    });

  const waitingQueries = async () => {
    const { rowCount } = await observer.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rowCount ?? 0;
  };

  it('of one address leave room for those of others, and are rejected beyond the limit', async () => {
    await locker.query('BEGIN; LOCK TABLE delegation_change');
    const paths = ['account', 'in', 'out'];
    // Two run and ten are queued.
    const ofOne = Array.from({ length: 14 }, (_none, i) => get('192.0.2.1', paths[i % 3] ?? ''));
    await until(async () => (await waitingQueries()) === 2);
    const ofOther = get('192.0.2.2', 'in');
    await until(async () => (await waitingQueries()) === 3);
    const rejected = await Promise.race(ofOne);
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await rejected.json()).toMatchObject({
      code: 'rate-limited',
      message: 'too many requests as of earlier blocks at a time; wait for the others to end',
    });
    await locker.query('ROLLBACK');
    expect((await ofOther).status).toBe(200);
    const statuses = (await Promise.all(ofOne)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array<number>(12).fill(200), 429, 429]);
  });

  it('count until their query ends, also if their cursor is rejected before', async () => {
    await locker.query('BEGIN; LOCK TABLE delegation_change');
    let responded = 0;
    const ofOne = Array.from({ length: 5 }, async () => {
      const { status } = await get('192.0.2.1', 'in', '&before_id=999');
      responded += 1;
      return status;
    });
    await until(async () => (await waitingQueries()) >= 2);
    const ofOther = get('192.0.2.2', 'in');
    await until(async () => (await waitingQueries()) >= 3);
    const before = responded;
    await locker.query('ROLLBACK');
    expect(before).toBe(0);
    expect(await Promise.all(ofOne)).toEqual(Array<number>(5).fill(400));
    expect((await ofOther).status).toBe(200);
  });
});
