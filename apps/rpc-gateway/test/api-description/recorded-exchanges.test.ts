// `RECORD=true npx jest recorded-exchanges` writes recorded-exchanges.json: only for a change that documented clients
// may notice.
import path from 'node:path';
import { Recording } from '@waggle/testing';
import { localCalls, startWithActivity, upstreamCalls } from '../support/documented-calls';
import { type GatewayStack } from '../support/gateway-stack';

let stack: GatewayStack;
beforeAll(async () => {
  stack = await startWithActivity();
});
afterAll(() => stack.stop());

it('exchanges the recorded requests and responses with the documented clients', async () => {
  const recording = new Recording(stack.gateway.url);
  const post = (to: string, body: unknown, headers: Record<string, string> = {}) =>
    recording.request({ path: to, method: 'POST', body, headers });
  const call = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });

  for (const [method, params] of Object.entries(localCalls)) {
    // The API description is compared with docs/api.
    if (method === 'rpc.discover') continue;
    await post('/rpc', call(method, params));
    await post('/rpc/home', call(method, params));
  }
  for (const [method, params] of Object.entries(upstreamCalls)) await post('/rpc', call(method, params));

  const config = call('database_api.get_config', {}, 'a');
  for (const to of ['/rpc', '/rpc', '/rpc/home', '/']) await post(to, config);
  await post('/rpc', [config, call('bridge.account_notifications', { account: 'bob' }), { ...config, id: undefined }]);
  await post('/rpc/home', [call('condenser_api.get_follow_count', ['bob'], 2), call('nowhere.x'), 1]);
  await post('/rpc', []);
  await post(
    '/rpc',
    Array.from({ length: 51 }, (_none, id) => call('condenser_api.get_follow_count', ['bob'], id)),
  );
  await post('/rpc', { ...config, id: undefined });
  await post('/rpc', call('call', ['condenser_api', 'get_follow_count', ['alice']]));
  await post('/rpc', config, { 'Content-Type': 'text/plain' });

  for (const [method, params] of [
    ['bridge.account_notifications', { account: 'nobody-here' }],
    ['bridge.account_notifications', { account: 'alice', limit: 1_000 }],
    ['bridge.account_notifications', {}],
    ['bridge.no_such_query', {}],
    ['nowhere.x', {}],
    ['condenser_api.get_accounts', 'rubbish'],
  ] as const) {
    await post('/rpc', call(method, params));
  }
  for (const body of ['', '{', '1', JSON.stringify({ ...config, jsonrpc: '1.0' })]) await post('/rpc', body);
  for (const to of ['/', '/rpc', '/nothing']) await recording.request({ path: to });

  const { now, recorded } = recording.comparedWith(path.join(__dirname, 'recorded-exchanges.json'));
  expect(now).toEqual(recorded);
});
