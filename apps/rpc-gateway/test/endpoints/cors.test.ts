import { readApiConfig } from '../../src/config';
import { GatewayUnderTest } from '../support/gateway-under-test';
import { ScriptedNode } from '../support/scripted-node';

const origin = 'https://anywhere.example';
const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'bridge.list_muted_reasons_enum' });

describe('CORS_ORIGINS=*', () => {
  let node: ScriptedNode;
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    const { http } = readApiConfig({
      DATABASE_URL: 'postgres://x/y',
      HIVE_API_NODES: 'http://x',
      CORS_ORIGINS: '*',
    });
    node = await ScriptedNode.start();
    gateway = await GatewayUnderTest.start([node.url], { corsOrigins: http.corsOrigins });
  });
  afterAll(async () => {
    await gateway.stop();
    await node.stop();
  });

  it('allows calls from pages of every origin, without credentials', async () => {
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const preflight = await fetch(`${gateway.url}/rpc`, { method: 'OPTIONS', headers });
    const actual = await fetch(`${gateway.url}/rpc`, { method: 'POST', body: call, headers: { origin } });
    for (const response of [preflight, actual]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
    expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type');
    expect(actual.headers.get('access-control-expose-headers')).toContain('X-Gateway-Cache');
  });
});
