import { differencesFromReadme, documentedMetrics, TcpProxy } from '@waggle/testing';
import { delegationStatus } from '@waggle/contracts';
import { blocksFrom, delegate } from './blocks';
import { DelegationUnderTest, freshDatabase } from './delegation-under-test';

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
