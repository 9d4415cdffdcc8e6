import { createLogger, type Service } from '@waggle/service';
import { Devnet } from '@waggle/devnet';
import { type PgBouncer, startPgBouncer, type TestDatabase, until, untilApplied } from '@waggle/testing';
import { createGateway } from '../../src/app';
import { readApiConfig, readIndexerConfig } from '../../src/config';
import { type Indexer } from '@waggle/service/chain';
import { createGatewayIndexer } from '../../src/indexer.app';
import { longTimeout, oldIndex } from '../support/gateway-under-test';
import { freshDatabase } from '../support/index-under-test';

// The first run on a machine without PgBouncer downloads it.
const fetchTimeoutMs = 240_000;
/** Connections to PostgreSQL; the API opens up to ten. */
const poolSize = 2;

describe('behind PgBouncer in transaction mode', () => {
  let devnet: Devnet;
  let database: TestDatabase;
  let pgBouncer: PgBouncer;
  let gateway: Service;
  let indexer: Indexer;
  const variables = (url: string) => ({
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: url,
    HIVE_API_NODES: devnet.url,
    STATUS_PAGE: 'off',
  });
  beforeAll(async () => {
    devnet = await Devnet.start({ unsigned: true });
    database = await freshDatabase();
    pgBouncer = await startPgBouncer({ upstream: database.url, poolSize });
    const apiConfig = readApiConfig(variables(pgBouncer.url()));
    gateway = await createGateway(
      { ...apiConfig, database: { ...apiConfig.database, ...longTimeout }, index: { ...apiConfig.index, ...oldIndex } },
      createLogger('rpc-gateway', 'silent'),
    );
    await gateway.app.listen({ host: '127.0.0.1', port: 0 });
    const config = readIndexerConfig({ ...variables(database.url), POLL_INTERVAL_MS: '50' });
    indexer = await createGatewayIndexer(config, createLogger('rpc-gateway-indexer', 'silent'));
    indexer.start();
    for (const name of ['bob', 'carol', 'dave']) {
      devnet.customJson(name, 'follow', ['follow', { follower: name, following: 'alice', what: ['blog'] }]);
    }
    devnet.makeIrreversible();
    await untilApplied(database.url, devnet.chain.lastIrreversible);
    // Until then it forwards local methods.
    await until(async () => {
      const { index } = (await gateway.app.inject('/health/ready')).json<{ index: { block?: number } }>();
      return index.block === devnet.chain.lastIrreversible;
    });
  }, fetchTimeoutMs);
  afterAll(async () => {
    await indexer.app.close();
    await gateway.app.close();
    await pgBouncer.stop();
    await devnet.stop();
    await database.drop();
  });

  it('the API shares fewer connections than it opens, and the indexer connects directly', async () => {
    const url = `${await gateway.app.getUrl()}/rpc`;
    const call = async (method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return (await response.json()) as { result: unknown };
    };
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0
          ? call('bridge.account_notifications', { account: 'alice', min_score: 0, limit: 1 + (n % 10) })
          : call('bridge.unread_notifications', { account: n % 3 === 0 ? 'alice' : 'bob' }),
      ),
    );
    for (const [n, { result }] of responses.entries())
      expect(result).toEqual(
        n % 2 === 0
          ? expect.arrayContaining([expect.objectContaining({ msg: expect.any(String) as string })])
          : expect.objectContaining({ unread: expect.any(Number) as number }),
      );
    const { clients, servers } = await pgBouncer.connections();
    expect(servers).toBeLessThanOrEqual(poolSize);
    expect(clients).toBeGreaterThan(poolSize);
  });
});
