import { exampleIn, runExample } from '@waggle/testing';
import { authorityOf } from './state/authority';
import { Devnet } from './devnet';
import { devnetKeys } from './keys';
import { recentGenesisTime } from './chain/live-blocks';
import { secondsOf } from './time';

const bob = devnetKeys('bob');
let devnet: Devnet | undefined;
afterEach(async () => devnet?.stop());

describe('the handle of a devnet', () => {
  it('changes each key by a transaction in a block', async () => {
    devnet = await Devnet.start();
    for (const role of ['posting', 'active', 'owner'] as const) {
      const block = devnet.changeKey(
        'alice',
        role,
        bob[role].publicKey,
        role === 'owner' ? undefined : devnetKeys('alice').active.wif,
      );
      expect(block.transactions[0]?.operations[0]?.name).toBe('account_update');
      expect(devnet.chain.state.getAccount('alice')[role]).toEqual(authorityOf(bob[role].publicKey));
    }
    devnet.changeKey('alice', 'memo', bob.memo.publicKey, bob.active.wif);
    expect(devnet.chain.state.getAccount('alice').memoKey).toBe(bob.memo.publicKey);
    expect(() => devnet?.changeKey('alice', 'posting', bob.posting.publicKey)).toThrow(
      'Missing Active Authority alice',
    );
  });

  it('sets an authority, and creates accounts', async () => {
    devnet = await Devnet.start();
    devnet.createAccount('newcomer', { posting: bob.posting.publicKey });
    const account = devnet.chain.state.getAccount('newcomer');
    expect(account.posting).toEqual(authorityOf(bob.posting.publicKey));
    expect(account.active).toEqual(authorityOf(devnetKeys('newcomer').active.publicKey));
    const authority = { weight_threshold: 1, account_auths: [['bob', 1]] as const, key_auths: [] };
    devnet.setAuthority('newcomer', 'posting', authority);
    expect(devnet.chain.state.getAccount('newcomer').posting).toEqual(authority);
    const unknown = { ...authority, account_auths: [['stranger', 1]] as const };
    expect(() => devnet?.setAuthority('newcomer', 'posting', unknown)).toThrow('unknown account stranger');
  });
});

describe('a devnet with automatic blocks', () => {
  const block = (live: Devnet) =>
    new Promise((resolve) => {
      const stop = live.chain.onBlock((next) => {
        stop();
        resolve(next.number);
      });
    });

  it('produces blocks at intervals, and none after it is stopped', async () => {
    devnet = await Devnet.start({ blockIntervalMs: 5 });
    const first = await block(devnet);
    expect(await block(devnet)).toBe(Number(first) + 1);
    await devnet.stop();
    const head = devnet.chain.head.number;
    const other = await Devnet.start({ blockIntervalMs: 5 });
    for (let made = 0; made < 5; made += 1) await block(other);
    await other.stop();
    expect(devnet.chain.head.number).toBe(head);
  });

  it('begins near the current time', async () => {
    devnet = await Devnet.start({ genesisTime: recentGenesisTime(), blockIntervalMs: 3000 });
    const ageSeconds = Date.now() / 1000 - secondsOf(devnet.chain.head.timestamp);
    expect(ageSeconds).toBeGreaterThanOrEqual(0);
    expect(ageSeconds).toBeLessThan(10);
  });

  it('responds to a synchronous broadcast when the block is produced', async () => {
    devnet = await Devnet.start({ blockIntervalMs: 20 });
    const { chain, url } = devnet;
    const before = chain.head.number;
    const operation = { required_auths: [], required_posting_auths: ['alice'], id: 'x', json: '{}' };
    const sender = await Devnet.start();
    const { id, signatures, refBlockNum, refBlockPrefix, expiration } = sender.chain.include(
      [['custom_json', operation]],
      [devnetKeys('alice').posting.wif],
    );
    await sender.stop();
    const transaction = { ref_block_num: refBlockNum, ref_block_prefix: refBlockPrefix, expiration, signatures };
    const params = [{ ...transaction, operations: [['custom_json', operation]], extensions: [] }];
    const body = { jsonrpc: '2.0', id: 1, method: 'condenser_api.broadcast_transaction_synchronous', params };
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    const result = { id, expired: false, block_num: expect.any(Number) as unknown };
    expect(await response.json()).toMatchObject({ result });
    expect(chain.head.number).toBeGreaterThan(before);
  });
});

it('runs the example of the README', async () => {
  const example = exampleIn('libs/devnet/README.md', 'devnet');
  const [beforeStop = '', stop] = example.split('await devnet.stop();');
  expect(stop).toBe('\n');
  const seen: unknown[] = [];
  const inspect = 'seen.push(devnet.chain.head.number, devnet.node.calls);';
  await runExample(`${beforeStop}${inspect}\nawait devnet.stop();`, { globals: { Devnet, devnetKeys, seen } });
  expect(seen).toEqual([expect.any(Number), expect.any(Map)]);
});
