import { delegationStatus, restError } from '@waggle/contracts';
import { differencesFromReadme, documentedMetrics, TcpProxy } from '@waggle/testing';
import { blocksFrom, createWithDelegation, delegate, hardforkHive, returnDelegation } from '../support/blocks';
import { DelegationUnderTest, freshDatabase } from '../support/delegation-under-test';
import { exactJson } from './exact-json';

const vests = (amount: number) => BigInt(amount * 1_000_000);

describe('the documented endpoints', () => {
  let service: DelegationUnderTest;
  const json = async (path: string) => {
    const { status, text } = await service.get(path);
    expect([path, status]).toEqual([path, 200]);
    return exactJson(text);
  };
  beforeAll(async () => {
    service = await DelegationUnderTest.start();
    await service.feed.begin();
    await service.feed.apply(
      blocksFrom(1, [
        [delegate('alice', 'bob', vests(1_000.5)), delegate('carol', 'bob', 9_007_199_254_740_993n)],
        [createWithDelegation('alice', 'newcomer', vests(10)), createWithDelegation('alice', 'nothing', 0n)],
        [delegate('alice', 'bob', vests(400))],
        [delegate('carol', 'dave', vests(7)), delegate('dave', 'carol', 1n)],
        [hardforkHive('carol', ['bob', 'dave'])],
        [returnDelegation('alice', vests(600.5))],
      ]),
      2,
    );
  });
  afterAll(() => service.stop());

  it('return the totals of incoming and outgoing delegations', async () => {
    expect(await json('/api/deleg/account?account=alice')).toEqual({
      account: 'alice',
      balances: { in: '0', out: '410' },
    });
    expect(await json('/api/deleg/account?account=bob')).toEqual({ account: 'bob', balances: { in: '400', out: '0' } });
    expect(await json('/api/deleg/account?account=bob&as_of_block=4')).toEqual({
      account: 'bob',
      balances: { in: '9007199654.740993', out: '0' },
    });
  });

  it('list current delegations', async () => {
    expect(await json('/api/deleg/in?account=bob')).toEqual([
      { id: 1, delegator: 'alice', amount: '400', delegatee: 'bob' },
    ]);
    expect(await json('/api/deleg/out?account=alice')).toEqual([
      { id: 1, delegator: 'alice', amount: '400', delegatee: 'bob' },
      { id: 3, delegator: 'alice', amount: '10', delegatee: 'newcomer' },
    ]);
    expect(await json('/api/deleg/out?account=carol')).toEqual([]);
    expect(await json('/api/deleg/out?account=carol&as_of_block=4')).toEqual([
      { id: 2, delegator: 'carol', amount: '9007199254.740993', delegatee: 'bob' },
      { id: 4, delegator: 'carol', amount: '7', delegatee: 'dave' },
    ]);
    expect(await json('/api/deleg/in?account=carol')).toEqual([
      { id: 5, delegator: 'dave', amount: '0.000001', delegatee: 'carol' },
    ]);
  });

  it('list every change, latest first, with removals as amount 0', async () => {
    const changes = [
      { id: 5 * 2 ** 20, created: '2026-01-01T00:00:15', delegator: 'carol', amount: '0', delegatee: 'bob' },
      { id: 3 * 2 ** 20, created: '2026-01-01T00:00:09', delegator: 'alice', amount: '400', delegatee: 'bob' },
      {
        id: 2 ** 20 + 1,
        created: '2026-01-01T00:00:03',
        delegator: 'carol',
        amount: '9007199254.740993',
        delegatee: 'bob',
      },
      { id: 2 ** 20, created: '2026-01-01T00:00:03', delegator: 'alice', amount: '1000.5', delegatee: 'bob' },
    ];
    expect(await json('/api/deleg/history/in?account=bob')).toEqual(changes);
    expect(await json('/api/deleg/history/in?account=bob&descending=false')).toEqual(changes.toReversed());
    expect(await json('/api/deleg/history/in?account=bob&descending=true&limit=2')).toEqual(changes.slice(0, 2));
    expect(await json('/api/deleg/history/out?account=carol&descending=false')).toEqual([
      changes[2],
      expect.objectContaining({ delegatee: 'dave', amount: '7' }),
      changes[0],
      expect.objectContaining({ delegatee: 'dave', amount: '0', id: 5 * 2 ** 20 + 1 }),
    ]);
    expect(await json('/api/deleg/history/in?account=bob&as_of_block=4')).toEqual(changes.slice(1));
  });

  it('return zeros and empty lists for an account that has no delegations or does not exist', async () => {
    for (const account of ['newcomer', 'nobody', 'nothing']) {
      expect(await json(`/api/deleg/out?account=${account}`)).toEqual([]);
      expect(await json(`/api/deleg/history/out?account=${account}`)).toEqual([]);
    }
    expect(await json('/api/deleg/account?account=nobody')).toEqual({
      account: 'nobody',
      balances: { in: '0', out: '0' },
    });
    expect(await json('/api/deleg/in?account=nobody&as_of_block=2')).toEqual([]);
  });

  it('return a pair, even if nothing is delegated', async () => {
    expect(await json('/api/deleg/pair?delegator=alice&delegatee=bob')).toEqual({
      id: 1,
      delegator: 'alice',
      amount: '400',
      delegatee: 'bob',
    });
    expect(await json('/api/deleg/pair?delegator=alice&delegatee=bob&as_of_block=2')).toMatchObject({
      amount: '1000.5',
    });
    const pair = { delegator: 'carol', amount: '0', delegatee: 'bob' };
    expect(await json('/api/deleg/pair?delegator=carol&delegatee=bob')).toEqual({ id: 2, ...pair });
    expect(await json('/api/deleg/pair?delegator=carol&delegatee=judy')).toEqual({
      ...pair,
      id: null,
      delegatee: 'judy',
    });
  });

  it('list pending returns until they are complete', async () => {
    const { feed } = service;
    expect(await json('/api/deleg/returns?account=alice')).toEqual([]);
    await feed.apply(
      blocksFrom(7, [
        [delegate('alice', 'bob', vests(300)), delegate('alice', 'newcomer', vests(1))],
        [delegate('alice', 'bob', 0n)],
      ]),
    );
    const [first, second, last] = [
      // Dated by the time of the previous block.
      { id: 7 * 2 ** 20, delegator: 'alice', amount: '100', returns: '2026-01-06T00:00:18' },
      { id: 7 * 2 ** 20 + 1, delegator: 'alice', amount: '9', returns: '2026-01-31T00:00:03' },
      { id: 8 * 2 ** 20, delegator: 'alice', amount: '300', returns: '2026-01-06T00:00:21' },
    ];
    expect(await json('/api/deleg/returns?account=alice')).toEqual([first, second, last]);
    expect(await json(`/api/deleg/returns?account=alice&after_id=${first.id}&limit=1`)).toEqual([second]);
    await feed.apply(blocksFrom(9, [[returnDelegation('alice', vests(100))]]));
    expect(await json('/api/deleg/returns?account=alice')).toEqual([second, last]);
    await feed.apply(blocksFrom(10, [[hardforkHive('alice', ['newcomer'])]]));
    expect(await json('/api/deleg/returns?account=alice')).toEqual([]);
  });

  it('return JSON for any Accept header without CSV', async () => {
    for (const accept of ['application/json', '*/*', 'text/html', 'nonsense']) {
      const { status, headers } = await service.get('/api/deleg/in?account=bob', { accept });
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    }
  });

  it('reject other methods and paths with the common error body', async () => {
    const response = await service.get('/api/deleg/nothing?account=alice');
    expect(restError.parse(JSON.parse(response.text))).toMatchObject({ statusCode: 404, code: 'not-found' });
  });
});

/** A gauge of `/metrics`; undefined if it has no value. */
async function gauge(service: DelegationUnderTest, name: string): Promise<number | undefined> {
  const { text } = await service.get('/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}

describe('the reported state of the index', () => {
  it('has the last indexed block and its age, also while the database is unavailable', async () => {
    const database = await freshDatabase();
    const proxy = await TcpProxy.toUrl(database.url);
    const { port } = new URL(database.url);
    const url = database.url.replace(`:${port}/`, `:${proxy.port}/`);
    const service = await DelegationUnderTest.start({}, { ...database, url });
    const status = async () => delegationStatus.parse(JSON.parse((await service.get('/api/deleg/status')).text));
    expect(await status()).toMatchObject({ synced_block: null, ready: false });
    expect(await gauge(service, 'delegation_synced_block')).toBeUndefined();
    expect(await gauge(service, 'delegation_sync_lag_seconds')).toBeUndefined();

    await service.feed.begin();
    await service.feed.apply(blocksFrom(1, [[delegate('alice', 'bob', 7n)], []]));
    expect(await status()).toEqual({
      synced_block: 2,
      synced_time: '2026-01-01T00:00:06',
      lag_seconds: expect.any(Number) as number,
      irreversible_block: 2,
      blocks_behind: 0,
      ready: true,
      history_from_block: 1,
      as_of_from_block: 0,
      backfill: null,
    });
    const age = () => (Date.now() - Date.UTC(2026, 0, 1, 0, 0, 6)) / 1_000;
    expect(await gauge(service, 'delegation_synced_block')).toBe(2);
    expect(await gauge(service, 'delegation_sync_lag_seconds')).toBeCloseTo(age(), -2);

    const { text } = await service.get('/metrics');
    expect(differencesFromReadme(text, documentedMetrics('delegation'), 'API')).toEqual([]);

    await service.feed.close();
    proxy.refuse();
    proxy.cut();
    expect(await gauge(service, 'delegation_synced_block')).toBe(2);
    expect(await gauge(service, 'delegation_sync_lag_seconds')).toBeCloseTo(age(), -2);
    await service.stop();
    await proxy.stop();
    await database.drop();
  });
});
