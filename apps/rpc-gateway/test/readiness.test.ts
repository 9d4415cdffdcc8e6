import { Client } from 'pg';
import { GatewayUnderTest } from './gateway-under-test';
import { ScriptedNode } from './scripted-node';

const ready = async (gateway: GatewayUnderTest) => (await gateway.get('/health/ready')).status;

describe('an instance of the API', () => {
  it('is ready while the index has its tables', async () => {
    const node = await ScriptedNode.start();
    const gateway = await GatewayUnderTest.start([node.url]);
    const before = await ready(gateway);
    const client = new Client({ connectionString: gateway.database.url });
    await client.connect();
    await client.query('DROP TABLE index_state');
    await client.end();
    const after = await ready(gateway);
    await gateway.stop();
    await node.stop();
    expect([before, after]).toEqual([200, 503]);
  });

  it('is not ready while no node reports its head', async () => {
    const gateway = await GatewayUnderTest.start(['http://127.0.0.1:1']);
    const status = await ready(gateway);
    await gateway.stop();
    expect(status).toBe(503);
  });

  it('closes connections after their response while it drains', async () => {
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
});
