import { HiveClient, HiveNodesUnavailableError } from '@waggle/chain';
import { until } from '@waggle/testing';
import { HiveAccountLookup } from '../../src/accounts/account-lookup';
import { ScriptedNode } from '../support/scripted-node';

describe('a lookup of accounts', () => {
  const begins = new Date('2025-01-01T00:00:00Z');
  let node: ScriptedNode;
  let hive: HiveClient;
  let lookup: HiveAccountLookup;
  beforeEach(async () => {
    node = await ScriptedNode.start();
    hive = new HiveClient({ urls: [node.url] });
    lookup = new HiveAccountLookup(hive);
  });
  afterEach(async () => {
    await hive.close();
    await node.stop();
  });

  it('rejects a malformed creation time, and finds the account later', async () => {
    const find = () => lookup.findCreatedBefore(['alice'], begins);
    node.script = () => ({ accounts: [{ name: 'alice', created: 'yesterday' }] });
    await expect(find()).rejects.toThrow(HiveNodesUnavailableError);
    node.script = () => ({ accounts: [{ name: 'alice', created: '2024-12-31T23:59:57' }] });
    expect(await find()).toEqual(new Map([['alice', new Date('2024-12-31T23:59:57Z')]]));
  });

  it('of thousands of names makes several calls at once', async () => {
    const names = Array.from({ length: 8_000 }, (_, number) => `bee-${number}`);
    node.script = async () => {
      await until(() => Promise.resolve(node.calls.length === 8));
      return { accounts: [] };
    };
    expect(await lookup.findCreatedBefore(names, begins)).toEqual(new Map());
    expect(node.calls).toHaveLength(8);
    // They are known not to be older now.
    await lookup.findCreatedBefore(names, begins);
    expect(node.calls).toHaveLength(8);
  });
});
