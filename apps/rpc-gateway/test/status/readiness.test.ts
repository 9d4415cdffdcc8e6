import { Client } from 'pg';
import { exampleIn, provideDatabase, startPostgres, until } from '@waggle/testing';
import { migrate } from '../../src/database';
import { GatewayUnderTest, type HttpResponse } from '../support/gateway-under-test';
import { ScriptedNode } from '../support/scripted-node';

/** The status of the readiness check, and the state of each dependency. */
async function checks(gateway: GatewayUnderTest): Promise<[number, unknown]> {
  const { status, text } = await gateway.get('/health/ready');
  return [status, (JSON.parse(text) as { checks: unknown }).checks];
}

const sourceOf = ({ headers }: HttpResponse) => headers['x-gateway-source'];

describe('an instance of the API', () => {
  it('reports the index as down if its tables are missing', async () => {
    const node = await ScriptedNode.start();
    const gateway = await GatewayUnderTest.start([node.url]);
    const before = await checks(gateway);
    const client = new Client({ connectionString: gateway.database.url });
    await client.connect();
    await client.query('DROP TABLE index_state');
    await client.end();
    const after = await checks(gateway);
    await gateway.stop();
    await node.stop();
    expect([before, after]).toEqual([
      [200, { database: 'up', upstream: 'up' }],
      [200, { database: 'down', upstream: 'up' }],
    ]);
  });

  it('is not ready before a node has reported its head', async () => {
    const gateway = await GatewayUnderTest.start(['http://127.0.0.1:1']);
    const status = await checks(gateway);
    await gateway.stop();
    expect(status).toEqual([503, { database: 'up', upstream: 'down' }]);
  });

  it('with a role that may only read, stays ready and serves without PostgreSQL or without nodes, but not without both', async () => {
    const postgres = await startPostgres({ dataDir: 'temporary' });
    const url = await provideDatabase(postgres, 'rpc-gateway');
    const administrator = new Client({ connectionString: postgres.url('rpc-gateway') });
    await administrator.connect();
    const statements = exampleIn('k8s/README.md', 'A database URL for the API');
    await administrator.query(statements.replaceAll('delegation', 'rpc-gateway'));
    await administrator.end();
    await migrate(url);
    const reader = new URL(url);
    [reader.username, reader.password] = ['rpc-gateway-api', 'change-me'];
    const node = await ScriptedNode.start();
    node.script = () => ['of the node'];
    const database = { url, drop: () => Promise.resolve() };
    const gateway = await GatewayUnderTest.start([node.url], { database, databaseUrl: () => reader.href });
    try {
      expect(await checks(gateway)).toEqual([200, { database: 'up', upstream: 'up' }]);
      expect(sourceOf(await gateway.call('bridge.list_communities'))).toBe('index');

      await postgres.kill();
      await until(async () => sourceOf(await gateway.call('bridge.list_communities')) === 'upstream');
      expect(await checks(gateway)).toEqual([200, { database: 'down', upstream: 'up' }]);

      await node.stop();
      // The last report of the node becomes old.
      const now = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + 11_000);
      await until(async () => (await checks(gateway))[0] === 503);
      expect(await checks(gateway)).toEqual([503, { database: 'down', upstream: 'down' }]);

      await postgres.start();
      await until(async () => sourceOf(await gateway.call('bridge.list_communities')) === 'index');
      expect(await checks(gateway)).toEqual([200, { database: 'up', upstream: 'down' }]);
    } finally {
      jest.restoreAllMocks();
      await gateway.stop();
      await postgres.stop();
      await node.stop();
    }
  });

  it('closes each connection after its response while draining', async () => {
    const node = await ScriptedNode.start();
    const gateway = await GatewayUnderTest.start([node.url]);
    const before = await gateway.post('/rpc', []);
    gateway.beginToDrain();
    const after = await gateway.post('/rpc', []);
    await gateway.stop();
    await node.stop();
    expect([before, after].map(({ status, headers }) => [status, headers['connection']])).toEqual([
      [200, 'keep-alive'],
      [200, 'close'],
    ]);
  });

  it('finishes calls that are waiting for a node on shutdown', async () => {
    const node = await ScriptedNode.start();
    const gateway = await GatewayUnderTest.start([node.url]);
    const stopsListening = async () => {
      try {
        await fetch(`${gateway.url}/health/live`);
        return false;
      } catch {
        return true;
      }
    };
    let isStopped = Promise.resolve();
    node.script = async () => {
      gateway.beginToDrain();
      isStopped = gateway.stop();
      await until(stopsListening);
      return { accounts: [] };
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'bridge.get_profile', params: { account: 'alice' } });
    const response = await fetch(`${gateway.url}/rpc`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({
      error: { message: 'Assert Exception:[{"alice": "account does not exist"}]' },
    });
    await isStopped;
    await node.stop();
  });
});
