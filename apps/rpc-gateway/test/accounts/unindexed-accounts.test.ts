import { until } from '@waggle/testing';
import { GatewayUnderTest } from '../support/gateway-under-test';
import { reset, ScriptedNode } from '../support/scripted-node';

const authority = { weight_threshold: 1, account_auths: [], key_auths: [] };
const found = (name: string) => ({ name, owner: authority, active: authority, posting: authority, memo_key: '' });

describe('accounts that are not indexed', () => {
  let node: ScriptedNode;
  let gateway: GatewayUnderTest;
  beforeEach(async () => {
    node = await ScriptedNode.start();
    gateway = await GatewayUnderTest.start([node.url]);
  });
  afterEach(async () => {
    await gateway.stop();
    await node.stop();
  });

  const lookups = () => node.callsOf('database_api.find_accounts');
  const read = () => gateway.call('bridge.account_notifications', { account: 'an-old-one' });
  const isThere = () => ({ accounts: [found('an-old-one')] });
  const isNotThere = () => ({ accounts: [] });

  it('are read with one request for concurrent calls', async () => {
    node.script = isThere;
    for (const { json } of await Promise.all(Array.from({ length: 20 }, read)))
      expect(json).toMatchObject({ result: [] });
    expect((await read()).json).toMatchObject({ result: [] });
    expect(lookups()).toBe(1);
  });

  it('are found soon after they are created', async () => {
    node.script = isNotThere;
    const notFound = { error: { code: -32602, message: 'Assert Exception:Account an-old-one does not exist' } };
    for (const { json } of await Promise.all(Array.from({ length: 20 }, read))) expect(json).toMatchObject(notFound);
    expect(lookups()).toBe(1);
    node.script = isThere;
    await until(async () => 'result' in ((await read()).json as object));
    expect(lookups()).toBe(2);
  });

  it('are read again after a failure', async () => {
    node.script = () => reset;
    expect((await read()).json).toMatchObject({ error: { data: { kind: 'unreachable' } } });
    node.script = isThere;
    expect((await read()).json).toMatchObject({ result: [] });
  });
});
