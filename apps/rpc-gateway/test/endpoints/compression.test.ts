import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { GatewayUnderTest, routesHead } from '../support/gateway-under-test';
import { ScriptedNode } from '../support/scripted-node';

describe('compression', () => {
  let node: ScriptedNode;
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    node = await ScriptedNode.start();
    node.script = ({ params }) => 'honey '.repeat((params as [number])[0] / 6);
    gateway = await GatewayUnderTest.start([node.url], { routes: `${routesHead}  bridge:\n` });
  });
  afterAll(async () => {
    await gateway.stop();
    await node.stop();
  });

  async function post(bytes: number, accepted?: string) {
    const { headers, body } = await request(`${gateway.url}/rpc`, {
      method: 'POST',
      reset: true,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'bridge.get_post', params: [bytes] }),
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    });
    const received = Buffer.from(await body.arrayBuffer());
    expect(headers['content-length']).toBe(String(received.length));
    return { encoding: headers['content-encoding'], headers, received };
  }

  it.each([6_000, 120_000, 900_000])('of %s bytes is used for clients that accept it', async (bytes) => {
    const plain = await post(bytes);
    expect(plain.encoding).toBeUndefined();
    for (const accepted of ['gzip', 'br, gzip;q=0.5', 'GZIP;q=1.0, identity']) {
      const { encoding, headers, received } = await post(bytes, accepted);
      expect([accepted, encoding, String(headers['vary'])]).toEqual([accepted, 'gzip', 'Accept-Encoding']);
      expect(gunzipSync(received).equals(plain.received)).toBe(true);
      expect(received.length).toBeLessThan(plain.received.length / 3);
    }
  });

  it('is used for the API description', async () => {
    const url = `${gateway.url}/docs/openrpc.json`;
    const plain = await (await request(url)).body.text();
    const { headers, body } = await request(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(await body.arrayBuffer()).toString()).toBe(plain);
  });

  it.each([
    [600, 'gzip'],
    [2_400_000, 'gzip'],
    [6_000, 'gzip;q=0'],
    [6_000, 'gzip; q=0.000, br'],
    [6_000, 'identity'],
  ])('of %s bytes is not used with Accept-Encoding %s', async (bytes, accepted) => {
    expect((await post(bytes, accepted)).encoding).toBeUndefined();
  });
});
