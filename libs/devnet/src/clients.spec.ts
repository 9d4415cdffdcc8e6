import { Client, PrivateKey } from '@hiveio/dhive';
import { Devnet } from './devnet';
import { isFields } from './fields';
import { loadHiveJs } from './signing/hive-js';
import { devnetKeys } from './keys';

// Unmodified client libraries against a node over HTTP, configured only with its URL.

/** hive-js signs in 0.2 s, and in 2 to 5 s under Jest. */
const hive = loadHiveJs();
const alice = devnetKeys('alice');
const newKey = devnetKeys('a-new-key').posting.publicKey;
const authority = { weight_threshold: 1, account_auths: [], key_auths: [[newKey, 1]] };
const followJson = {
  required_auths: [],
  required_posting_auths: ['alice'],
  id: 'follow',
  json: '["follow",{"what":["blog"]}]',
};

let devnet: Devnet;

beforeEach(async () => {
  devnet = await Devnet.start();
  hive.api.setOptions({ url: devnet.url });
});
afterEach(() => devnet.stop());

describe('hive-js', () => {
  const broadcast = (operations: [string, object][], wif: string) =>
    hive.broadcast.sendAsync({ operations, extensions: [] }, { key: wif });

  it('reads an account and the global properties', async () => {
    const accounts = await hive.api.getAccountsAsync(['alice']);
    expect(accounts).toMatchObject([{ name: 'alice', balance: '1000.000 HIVE', memo_key: alice.memo.publicKey }]);
    const { number, id } = devnet.chain.head;
    const properties = await hive.api.getDynamicGlobalPropertiesAsync();
    const head = { head_block_number: number, head_block_id: id, last_irreversible_block_num: number - 1 };
    expect(properties).toMatchObject(head);
  });

  it('broadcasts operations of the active key', async () => {
    const creation = { fee: '3.000 HIVE', creator: 'alice', new_account_name: 'newcomer', json_metadata: '' };
    const authorities = { owner: authority, active: authority, posting: authority, memo_key: newKey };
    const operations: [string, object][] = [
      ['transfer', { from: 'alice', to: 'bob', amount: '1.500 HIVE', memo: 'ünïcode 🐝' }],
      ['transfer', { from: 'alice', to: 'bob', amount: '2.000 HBD', memo: '' }],
      ['account_create', { ...creation, ...authorities }],
      ['transfer_to_vesting', { from: 'alice', to: 'alice', amount: '1.000 HIVE' }],
      ['delegate_vesting_shares', { delegator: 'alice', delegatee: 'bob', vesting_shares: '5000.000000 VESTS' }],
      ['account_update', { account: 'alice', active: authority, memo_key: newKey, json_metadata: '{}' }],
    ];
    const sent = await broadcast(operations, alice.active.wif);
    const { transactions } = devnet.produceBlock();
    expect(sent).toMatchObject({ id: transactions[0]?.id });
    expect(transactions[0]?.operations.map(({ name }) => name)).toEqual(operations.map(([name]) => name));
    expect(await hive.api.getAccountsAsync(['newcomer', 'alice', 'bob'])).toMatchObject([
      { name: 'newcomer', posting: authority, recovery_account: 'alice' },
      { balance: '994.500 HIVE', hbd_balance: '998.000 HBD', active: authority, memo_key: newKey, json_metadata: '{}' },
      { balance: '1001.500 HIVE', hbd_balance: '1002.000 HBD' },
    ]);
  });

  it('broadcasts operations of the posting key, and is rejected with that key after a change', async () => {
    const metadata = { account: 'alice', json_metadata: '', posting_json_metadata: '{"profile":{}}', extensions: [] };
    const operations: [string, object][] = [
      ['custom_json', followJson],
      ['account_update2', metadata],
    ];
    await broadcast(operations, alice.posting.wif);
    expect(devnet.produceBlock().transactions).toHaveLength(1);
    devnet.changeKey('alice', 'posting', newKey);
    const accounts = await hive.api.getAccountsAsync(['alice']);
    expect(accounts).toMatchObject([{ posting: authority, posting_json_metadata: '{"profile":{}}' }]);
    await expect(broadcast(operations, alice.posting.wif)).rejects.toMatchObject({
      message: expect.stringMatching(/^missing required posting authority:Missing Posting Authority alice/) as unknown,
      code: -32000,
    });
  });

  it('broadcasts posts, votes and community operations', async () => {
    const post = {
      author: 'alice',
      permlink: 'a-post',
      title: 'Ünï 🐝',
      body: 'A body',
      json_metadata: '{"tags":["x"]}',
    };
    const subscribe = ['subscribe', { community: 'hive-100001' }];
    const operations: [string, object][] = [
      ['comment', { parent_author: '', parent_permlink: 'bees', ...post }],
      ['vote', { voter: 'alice', author: 'alice', permlink: 'a-post', weight: -10_000 }],
      ['custom_json', { ...followJson, id: 'community', json: JSON.stringify(subscribe) }],
      ['custom_json', { ...followJson, id: 'notify', json: '["setLastRead",{"date":"2026-01-01T00:00:00"}]' }],
      ['delete_comment', { author: 'alice', permlink: 'a-post' }],
    ];
    await broadcast(operations.slice(0, -1), alice.posting.wif);
    devnet.produceBlock();
    expect(await hive.api.callAsync('condenser_api.get_content', ['alice', 'a-post'])).toMatchObject({
      ...post,
      net_rshares: -19_950_000_000,
    });
    await broadcast(operations.slice(-1), alice.posting.wif);
    expect(devnet.produceBlock().transactions).toHaveLength(1);
    expect(devnet.chain.state.comments.all()).toEqual([]);
  });

  it('broadcasts operations of the owner key', async () => {
    const update = { account: 'alice', owner: authority, memo_key: newKey, json_metadata: '' };
    await broadcast([['account_update', update]], alice.owner.wif);
    expect(await hive.api.getAccountsAsync(['alice'])).toMatchObject([{ owner: authority }]);
  });
});

describe('dhive', () => {
  const client = () => new Client(devnet.url);
  const key = (wif: string) => PrivateKey.fromString(wif);

  it('reads accounts and blocks', async () => {
    const [account] = await client().database.getAccounts(['alice']);
    expect(account?.posting.key_auths).toEqual([[alice.posting.publicKey, 1]]);
    const block = await client().database.getBlock(1);
    expect(block.transactions[0]?.operations[0]?.[0]).toBe('account_create');
  });

  it('broadcasts a transfer, a custom_json and an update', async () => {
    await client().broadcast.transfer(
      { from: 'alice', to: 'bob', amount: '1.000 HBD', memo: 'x' },
      key(alice.active.wif),
    );
    await client().broadcast.json({ ...followJson }, key(alice.posting.wif));
    const update = { account: 'alice', posting: { ...authority, key_auths: [[newKey, 1] as [string, number]] } };
    await client().broadcast.updateAccount({ ...update, memo_key: newKey, json_metadata: '' }, key(alice.active.wif));
    const metadata = { account: 'alice', json_metadata: '', posting_json_metadata: '{"a":1}', extensions: [] };
    const wif = key(alice.active.wif);
    await client().broadcast.sendOperations(
      [['account_update2', { ...metadata, memo_key: alice.memo.publicKey }]],
      wif,
    );
    const names = devnet.produceBlock().transactions.flatMap(({ operations }) => operations.map(({ name }) => name));
    expect(names).toEqual(['transfer', 'custom_json', 'account_update', 'account_update2']);
    const [account] = await client().database.getAccounts(['alice']);
    expect(account).toMatchObject({ hbd_balance: '999.000 HBD', posting: authority, posting_json_metadata: '{"a":1}' });
  });

  it('broadcasts a post, a reply, a vote and a custom_json', async () => {
    const { broadcast, database } = client();
    const post = { parent_author: '', parent_permlink: 'bees', author: 'alice', permlink: 'a-post', title: 'A title' };
    await broadcast.comment({ ...post, body: 'ünïcode 🐝', json_metadata: '{}' }, key(alice.posting.wif));
    const reply = { ...post, parent_author: 'alice', parent_permlink: 'a-post', author: 'bob', permlink: 'a-reply' };
    const bob = key(devnetKeys('bob').posting.wif);
    await broadcast.comment({ ...reply, title: '', body: 'A reply', json_metadata: '' }, bob);
    await broadcast.vote({ voter: 'bob', author: 'alice', permlink: 'a-post', weight: 10_000 }, bob);
    await broadcast.json({ ...followJson, required_posting_auths: ['bob'], id: 'reblog' }, bob);
    const names = devnet.produceBlock().transactions.flatMap(({ operations }) => operations.map(({ name }) => name));
    expect(names).toEqual(['comment', 'comment', 'vote', 'custom_json']);
    const content = { body: 'ünïcode 🐝', children: 1, net_votes: 1, pending_payout_value: '0.997 HBD' };
    expect(await database.call('get_content', ['alice', 'a-post'])).toMatchObject(content);
  });

  it('is rejected with a wrong key, with the reason', async () => {
    await expect(client().broadcast.json({ ...followJson }, key(alice.active.wif))).rejects.toThrow(
      'Missing Posting Authority alice',
    );
  });

  it('signs for network_broadcast_api, and for synchronous broadcasts', async () => {
    const { head } = devnet.chain;
    const transaction = (id: string) =>
      client().broadcast.sign(
        {
          ref_block_num: head.number,
          ref_block_prefix: Buffer.from(head.id, 'hex').readUInt32LE(4),
          expiration: '2026-01-01T01:00:00',
          operations: [['custom_json', { ...followJson, id }]],
          extensions: [],
        },
        key(alice.posting.wif),
      );
    const trx = transaction('first');
    const appbase = { ...trx, operations: [{ type: 'custom_json_operation', value: trx.operations[0]?.[1] }] };
    expect(
      await client().call('network_broadcast_api', 'broadcast_transaction', { trx: appbase, max_block_age: -1 }),
    ).toEqual({});
    const params = [transaction('second')];
    const confirmed: unknown = await client().call('condenser_api', 'broadcast_transaction_synchronous', params);
    expect(confirmed).toMatchObject({ block_num: head.number + 1, trx_num: 1, expired: false });
    const id = isFields(confirmed) ? confirmed['id'] : undefined;
    devnet.makeIrreversible();
    const found: unknown = await client().call('condenser_api', 'get_transaction', [id]);
    expect(found).toMatchObject({ transaction_id: id, block_num: head.number + 1, transaction_num: 1 });
  });
});
