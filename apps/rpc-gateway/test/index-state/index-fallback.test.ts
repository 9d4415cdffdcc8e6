import { until } from '@waggle/testing';
import { Client } from 'pg';
import { notificationId } from '../../src/notifications/notification-id';
import { GatewayUnderTest, type HttpResponse, routesHead } from '../support/gateway-under-test';
import { rpcError, ScriptedNode } from '../support/scripted-node';

const routes = `${routesHead}
  bridge.account_notifications: { to: local }
  bridge.list_communities: { to: local }
  bridge.list_muted_reasons_enum: { to: local }
  bridge.get_profile: { to: local }
  condenser_api.get_reblogged_by: { to: local, fallback: none }
  rc_api:
`;
const time = new Date('2025-01-15T12:30:45Z');
const ofIndex = Number(notificationId(time, 'reply', 0));
const ofNode = ofIndex - 2 ** 21 + 7;

const reblogs = ['alice', 'honey'];
const sourceOf = ({ headers }: HttpResponse) => headers['x-gateway-source'];
const communities = (gateway: GatewayUnderTest) => gateway.call('bridge.list_communities', {});
const incomplete = (...needs: string[]) => ({
  error: {
    code: -32603,
    message: 'The index is incomplete',
    data: { kind: 'index-incomplete', unmet: needs.map((need) => expect.objectContaining({ need }) as unknown) },
  },
});

describe('calls of local methods', () => {
  let node: ScriptedNode;
  let gateway: GatewayUnderTest;
  let database: Client;
  beforeAll(async () => {
    node = await ScriptedNode.start();
    gateway = await GatewayUnderTest.start([node.url], { routes });
    database = new Client({ connectionString: gateway.database.url });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await gateway.stop();
    await node.stop();
  });
  beforeEach(async () => {
    node.script = ({ method }) => (method === 'database_api.find_accounts' ? { accounts: [] } : ['of the node']);
    await change('UPDATE index_state SET first_block = 1, notifications_from = begins');
    await indexAt(980);
    await until(async () => sourceOf(await communities(gateway)) === 'index');
  });

  const change = (sql: string) => database.query(sql);
  const indexAt = (block: number) => change(`UPDATE chain_checkpoint SET block_number = ${block}`);
  const health = async () => JSON.parse((await gateway.get('/health/ready')).text) as { index: unknown };
  const forwarded = () => until(async () => sourceOf(await communities(gateway)) !== 'index');

  it('are served from a complete index, with its block and lag in headers', async () => {
    await indexAt(960);
    await until(async () => (await gateway.indexBlock()) === 960);
    expect((await communities(gateway)).headers).toMatchObject({
      'x-gateway-source': 'index',
      'x-gateway-index-block': '960',
      'x-gateway-index-lag': '60',
    });
  });

  it('are forwarded if the index is far behind, while event streams begin and report the lag', async () => {
    await indexAt(100);
    await forwarded();
    const abort = new AbortController();
    const { status, headers } = await fetch(`${gateway.url}/events?accounts=alice`, { signal: abort.signal });
    abort.abort();
    const position = ['x-gateway-index-block', 'x-gateway-index-lag'].map((name) => headers.get(name));
    expect([status, ...position]).toEqual([200, '100', String((980 - 100) * 3)]);
  });

  it('report the later block and lag if the index loses blocks during the call', async () => {
    let isCalled = false;
    node.script = ({ method }) => {
      isCalled ||= method === 'database_api.find_accounts';
      return indexAt(960).then(() => ({ accounts: [] }));
    };
    const { headers } = await gateway.call('bridge.get_profile', { account: 'alice' });
    expect([isCalled, headers]).toMatchObject([true, { 'x-gateway-index-block': '960', 'x-gateway-index-lag': '60' }]);
  });

  it('are forwarded while the lag is above the limit, and only then', async () => {
    await indexAt(980 - 31);
    await forwarded();
    const response = await communities(gateway);
    expect(response.json).toMatchObject({ result: ['of the node'] });
    expect(response.headers).not.toHaveProperty('x-gateway-index-lag');
    await indexAt(980 - 30);
    await until(async () => sourceOf(await communities(gateway)) === 'index');
  });

  it('are forwarded, cached and shared like other reads', async () => {
    await change('UPDATE index_state SET first_block = 5');
    await forwarded();
    node.head += 1;
    await until(async () => sourceOf(await communities(gateway)) === 'upstream');
    const { headers } = await communities(gateway);
    expect([headers['x-gateway-source'], headers['x-gateway-cache']]).toEqual(['cache', 'hit']);
  });

  it('are forwarded if the index starts late, except for constants', async () => {
    await change('UPDATE index_state SET first_block = 5');
    await forwarded();
    expect(sourceOf(await gateway.call('bridge.list_muted_reasons_enum'))).toBe('gateway');
    expect(await health()).toMatchObject({
      ready: true,
      index: {
        block: 980,
        needs: {
          'live-head': 'met',
          follows: 'The index starts with block 5 and lacks earlier follows, mutes, blacklists and their descriptions.',
        },
      },
    });
    const { text } = await gateway.get('/metrics');
    expect(text).toContain('rpc_gateway_index_need_met{need="live-head"} 1\n');
    expect(text).toContain('rpc_gateway_index_need_met{need="notifications"} 0\n');
  });

  it('are forwarded if they need older notifications than the index has', async () => {
    await change(`UPDATE index_state SET notifications_from = now() - interval '89 days'`);
    const read = () => gateway.call('bridge.account_notifications', { account: 'alice' });
    await until(async () => sourceOf(await read()) !== 'gateway' && sourceOf(await read()) !== 'index');
    expect(sourceOf(await communities(gateway))).toBe('index');
    await change(`UPDATE index_state SET notifications_from = now() - interval '90 days'`);
    await until(async () => sourceOf(await read()) === 'index');
  });

  it('get an error with the unmet needs if they are not forwarded', async () => {
    await change('UPDATE index_state SET first_block = 5');
    await forwarded();
    const called = node.calls.length;
    const { json } = await gateway.call('condenser_api.get_reblogged_by', reblogs);
    expect(json).toMatchObject(incomplete('posts'));
    expect(node.calls).toHaveLength(called);
    // Nor if no node has the method.
    node.script = () => rpcError(-32601, 'Api not found bridge');
    node.head += 1;
    await until(async () => 'error' in ((await communities(gateway)).json as object));
    expect((await communities(gateway)).json).toMatchObject(incomplete('communities', 'posts'));
  });

  it('fetch the next page from the source of the previous one', async () => {
    const read = (lastId: number) =>
      gateway.call('bridge.account_notifications', { account: 'alice', last_id: lastId });
    expect(sourceOf(await read(ofIndex))).toBe('index');
    expect((await read(ofNode)).json).toMatchObject({ result: ['of the node'] });
    // No cursor of any source.
    expect(sourceOf(await read(1_000))).toBe('index');
    await change('UPDATE index_state SET first_block = 5');
    await forwarded();
    expect((await read(ofIndex)).json).toMatchObject(incomplete('notifications'));
    expect((await read(ofNode)).json).toMatchObject({ result: ['of the node'] });
  });

  it('use a cursor in the index if no node can have issued it', async () => {
    node.script = ({ method }) =>
      method === 'database_api.find_accounts' ? { accounts: [] } : rpcError(-32601, 'Api not found bridge');
    const params = { account: 'alice', last_id: ofNode - 2 ** 28 };
    expect(sourceOf(await gateway.call('bridge.account_notifications', params))).toBe('index');
  });

  it('with a cursor of a node are forwarded once, if no node has the method and the index is incomplete', async () => {
    await change('UPDATE index_state SET first_block = 5');
    await forwarded();
    node.script = () => rpcError(-32601, 'Api not found bridge');
    const called = node.calls.length;
    const params = { account: 'alice', last_id: ofNode - 2 ** 29 };
    const { json } = await gateway.call('bridge.account_notifications', params);
    expect(json).toMatchObject(incomplete('notifications'));
    expect(node.calls).toHaveLength(called + 1);
  });

  it('report their sources in the order of the batch', async () => {
    const call = (id: number, method: string, params: unknown) => ({ jsonrpc: '2.0', id, method, params });
    const { headers } = await gateway.post('/rpc', [
      call(1, 'bridge.list_communities', {}),
      { jsonrpc: '2.0', method: 'bridge.list_communities' },
      call(2, 'rc_api.find_rc_accounts', { accounts: [String(Date.now())] }),
      call(3, 'nowhere.x', {}),
      call(4, 'condenser_api.get_reblogged_by', reblogs),
    ]);
    expect(headers).toMatchObject({
      'x-gateway-source': 'index, upstream, gateway, index',
      'x-gateway-index-block': '980, -, -, 980',
      'x-gateway-index-lag': '0, -, -, 0',
    });
  });

  it('have no index headers if only a notification used it', async () => {
    const { headers } = await gateway.post('/rpc', [
      { jsonrpc: '2.0', method: 'bridge.list_communities' },
      { jsonrpc: '2.0', id: 1, method: 'nowhere.x' },
    ]);
    expect(headers['x-gateway-source']).toBe('gateway');
    expect(headers).not.toHaveProperty('x-gateway-index-block');
  });
});
