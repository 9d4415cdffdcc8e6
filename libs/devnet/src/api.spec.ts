import { Devnet } from './devnet';
import { devnetKeys } from './keys';

const alice = devnetKeys('alice');
let devnet: Devnet;
/** The number of the block with a transfer and a custom_json; two more follow it. */
let busy: number;

beforeAll(async () => {
  devnet = await Devnet.start();
  const transfer = { from: 'alice', to: 'bob', amount: '1.000 HIVE', memo: 'hi' };
  const follow = { required_auths: [], required_posting_auths: ['alice'], id: 'follow', json: '[]' };
  devnet.chain.include([['transfer', transfer]], [alice.active.wif]);
  devnet.chain.include([['custom_json', follow]], [alice.posting.wif]);
  busy = devnet.produceBlock().number;
  devnet.createAccount('newcomer');
  devnet.produceBlock();
});
afterAll(() => devnet.stop());

async function post(body: unknown): Promise<unknown> {
  const response = await fetch(devnet.url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return response.json();
}

async function call(method: string, params: unknown): Promise<unknown> {
  const response = await post({ jsonrpc: '2.0', id: 1, method, params });
  return typeof response === 'object' && response !== null && 'result' in response ? response.result : response;
}

describe('the JSON-RPC of a node', () => {
  const head = () => ({ jsonrpc: '2.0', result: { head_block_number: devnet.chain.head.number } });

  it.each([7, 'seven', 0])('echoes the id %j', async (id) => {
    const request = { jsonrpc: '2.0', id, method: 'condenser_api.get_dynamic_global_properties', params: [] };
    expect(await post(request)).toMatchObject({ ...head(), id });
  });

  it('supports the method `call`', async () => {
    const request = { jsonrpc: '2.0', id: 1, method: 'call' };
    const params = ['database_api', 'get_dynamic_global_properties', {}];
    expect(await post({ ...request, params })).toMatchObject(head());
    expect(await post({ ...request, params: params.slice(0, 2) })).toMatchObject(head());
    expect(await post({ ...request, params: ['database_api'] })).toMatchObject({ error: { code: -32002 } });
    expect(await post(request)).toMatchObject({ error: { code: -32001, message: 'A member "params" does not exist' } });
  });

  it('responds to the calls of a batch in order', async () => {
    const ask = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: [] });
    expect(await post([ask(1, 'condenser_api.get_account_count'), ask(2, 'condenser_api.nothing')])).toMatchObject([
      { id: 1, result: 15 },
      { id: 2, error: {} },
    ]);
    expect(await post([])).toMatchObject({ error: { code: -32000, message: 'Array is invalid' }, id: null });
  });

  it.each([
    ['hive_api.get', -32002, 'Assert Exception:api_itr != data._registered_apis.end(): Could not find API hive_api'],
    ['block_api.get', -32002, 'Assert Exception:method_itr != api_itr->second.end(): Could not find method get'],
    [
      'block_api.constructor',
      -32002,
      'Assert Exception:method_itr != api_itr->second.end(): Could not find method constructor',
    ],
    ['get_block', -32002, 'Assert Exception:v.size() == 2: method specification invalid. Should be api.method'],
  ])('does not know %s', async (method, code, message) => {
    expect(await post({ jsonrpc: '2.0', id: 5, method, params: {} })).toMatchObject({
      id: 5,
      error: { code, message, data: { code: 10, name: 'assert_exception', stack: [{}] } },
    });
  });

  it.each([
    [{ id: 1, method: 'condenser_api.get_config' }, -32600, 'jsonrpc value is not "2.0"'],
    [{ jsonrpc: '2.0', id: 1 }, -32600, 'A member "method" does not exist'],
    [{ jsonrpc: '2.0', id: {}, method: 'x.y' }, -32600, 'Only integer value or string is allowed for member "id"'],
    ['{"jsonrpc":', -32000, 'Parse Error:'],
    ['7', -32000, 'Bad Cast:'],
    [{ jsonrpc: '2.0', id: 1, method: 'block_api.get_block', params: {} }, -32000, 'Bad Cast:'],
    [
      { jsonrpc: '2.0', id: 1, method: 'condenser_api.get_accounts', params: [] },
      -32003,
      'args.size() == 1 || args.size() == 2: Expected 1-2 arguments, was 0',
    ],
    [
      { jsonrpc: '2.0', id: 1, method: 'condenser_api.get_block', params: [1, 2] },
      -32003,
      'args.size() == 1: Expected #s argument(s), was 2',
    ],
  ])('rejects %j', async (request, code, message) => {
    expect(await post(request)).toMatchObject({
      error: { code, message: expect.stringContaining(message) as unknown },
    });
  });
});

describe('accounts', () => {
  it('have amounts as strings in condenser_api, and as objects in database_api', async () => {
    const legacy = {
      name: 'alice',
      balance: '999.000 HIVE',
      hbd_balance: '1000.000 HBD',
      vesting_shares: '1000000.000000 VESTS',
    };
    expect(await call('condenser_api.get_accounts', [['alice', 'stranger', 'bob']])).toMatchObject([
      legacy,
      { name: 'bob' },
    ]);
    const posting = { weight_threshold: 1, account_auths: [], key_auths: [[alice.posting.publicKey, 1]] };
    const balance = { amount: '999000', precision: 3, nai: '@@000000021' };
    const appbase = { name: 'alice', balance, posting, memo_key: alice.memo.publicKey };
    expect(await call('database_api.find_accounts', { accounts: ['alice', 'stranger'] })).toMatchObject({
      accounts: [appbase],
    });
  });

  it('are found by name', async () => {
    expect(await call('condenser_api.lookup_account_names', [['bob', 'stranger']])).toMatchObject([
      { name: 'bob' },
      null,
    ]);
    expect(await call('condenser_api.lookup_accounts', ['c', 2])).toEqual(['carol', 'dave']);
    expect(await call('condenser_api.get_account_count', [])).toBe(15);
    const list = { start: 'ivan', limit: 2, order: 'by_name' };
    expect(await call('database_api.list_accounts', list)).toMatchObject({
      accounts: [{ name: 'ivan' }, { name: 'judy' }],
    });
  });
});

describe('the chain', () => {
  it('returns its properties in both formats', async () => {
    const { number, id, timestamp } = devnet.chain.head;
    const common = {
      head_block_number: number,
      head_block_id: id,
      time: timestamp,
      last_irreversible_block_num: number - 1,
    };
    const supply = { amount: '1000000000000', precision: 3, nai: '@@000000021' };
    expect(await call('condenser_api.get_dynamic_global_properties', [])).toMatchObject({
      ...common,
      current_supply: '1000000000.000 HIVE',
    });
    expect(await call('database_api.get_dynamic_global_properties', {})).toMatchObject({
      ...common,
      current_supply: supply,
    });
  });

  it('returns its constants', async () => {
    const { chainId } = devnet.chain;
    for (const api of ['condenser_api', 'database_api']) {
      expect(await call(`${api}.get_config`, [])).toMatchObject({ HIVE_CHAIN_ID: chainId, HIVE_BLOCK_INTERVAL: 3 });
      expect(await call(`${api}.get_version`, [])).toMatchObject({ chain_id: chainId });
    }
    expect(await call('condenser_api.get_chain_properties', [])).toMatchObject({ account_creation_fee: '3.000 HIVE' });
    expect(await call('database_api.get_hardfork_properties', {})).toMatchObject({ last_hardfork: 28 });
  });
});

describe('blocks', () => {
  const header = { extensions: [], witness: 'initminer' };

  it('are returned in both formats', async () => {
    const block = devnet.chain.findBlock(busy);
    const place = { transaction_id: block?.transactions[0]?.id, block_num: busy, transaction_num: 0 };
    const legacyTransfer = ['transfer', { from: 'alice', to: 'bob', amount: '1.000 HIVE', memo: 'hi' }];
    const common = {
      ...header,
      previous: block?.previous,
      timestamp: block?.timestamp,
      block_id: block?.id,
      transaction_ids: block?.transactions.map(({ id }) => id),
    };
    expect(await call('condenser_api.get_block', [busy])).toMatchObject({
      ...common,
      transactions: [{ operations: [legacyTransfer], extensions: [], ...place }, {}],
    });
    const amount = { amount: '1000', precision: 3, nai: '@@000000021' };
    const transfer = { type: 'transfer_operation', value: { from: 'alice', to: 'bob', amount, memo: 'hi' } };
    expect(await call('block_api.get_block', { block_num: busy })).toMatchObject({
      block: { ...common, transactions: [{ operations: [transfer] }, {}] },
    });
  });

  it('have separate headers', async () => {
    const previous = devnet.chain.findBlock(busy)?.previous;
    expect(await call('condenser_api.get_block_header', [busy])).toMatchObject({ ...header, previous });
    expect(await call('block_api.get_block_header', { block_num: busy })).toMatchObject({
      header: { ...header, previous },
    });
  });

  it('that do not exist yet are null, or an empty object', async () => {
    expect(await call('condenser_api.get_block', [1000])).toBeNull();
    expect(await call('condenser_api.get_block_header', [1000])).toBeNull();
    expect(await call('block_api.get_block', { block_num: 1000 })).toEqual({});
    expect(await call('block_api.get_block', { block_num: 0 })).toEqual({});
  });

  it('are returned in ranges of at most 1,000', async () => {
    const head = devnet.chain.head.number;
    const range = (starting_block_num: number, count: number) =>
      call('block_api.get_block_range', { starting_block_num, count });
    const ids = (from: number, to: number) => ({
      blocks: Array.from({ length: to - from + 1 }, (_, i) => ({ block_id: devnet.chain.findBlock(from + i)?.id })),
    });
    expect(await range(2, 3)).toMatchObject(ids(2, 4));
    expect(await range(head - 1, 1000)).toMatchObject(ids(head - 1, head));
    expect(await range(head + 1, 10)).toEqual({ blocks: [] });
    expect(await range(1, 1001)).toMatchObject({
      error: { code: -32003, message: 'Assert Exception:count <= 1000: You can only ask for 1000 blocks at a time' },
    });
    expect(await range(0, 1)).toMatchObject({ error: { code: -32003 } });
  });
});

describe('the operations of a block', () => {
  it('are returned, virtual ones last', async () => {
    const reward = { virtual_op: true, trx_in_block: 4_294_967_295, trx_id: '0'.repeat(40) };
    expect(await call('account_history_api.get_ops_in_block', { block_num: busy })).toMatchObject({
      ops: [
        { op: { type: 'transfer_operation' }, trx_in_block: 0, op_in_trx: 0, virtual_op: false, block: busy },
        { op: { type: 'custom_json_operation' }, trx_in_block: 1 },
        { op: { type: 'producer_reward_operation', value: { producer: 'initminer' } }, ...reward },
      ],
    });
    expect(await call('condenser_api.get_ops_in_block', [busy, true])).toMatchObject([
      { op: ['producer_reward', {}], ...reward },
    ]);
  });

  it('are not returned while the block is reversible, unless requested', async () => {
    const { number } = devnet.chain.head;
    const ask = (include: object) => call('account_history_api.get_ops_in_block', { block_num: number, ...include });
    expect(await ask({})).toEqual({ ops: [] });
    expect(await ask({ include_reversible: true })).toMatchObject({ ops: [{ block: number }] });
  });
});

describe('enum_virtual_ops', () => {
  const ask = (query: object) => call('account_history_api.enum_virtual_ops', query);
  const rewards = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => ({ block: from + i }));

  it('filters by kind', async () => {
    const accountCreated = 2 ** 30;
    const created = {
      op: { type: 'account_created_operation', value: { new_account_name: 'newcomer', creator: 'initminer' } },
    };
    const query = { block_range_begin: busy, block_range_end: busy + 2 };
    expect(await ask({ ...query, filter: accountCreated })).toMatchObject({ ops: [created] });
    expect(await ask({ ...query, filter: String(2 ** 14) })).toMatchObject({ ops: rewards(busy, busy + 2) });
    expect(await ask({ ...query, filter: 1 })).toMatchObject({ ops: [] });
  });

  it('groups by block', async () => {
    const query = { block_range_begin: busy, block_range_end: busy + 2, group_by_block: true };
    expect(await ask(query)).toMatchObject({
      ops: [],
      ops_by_block: [
        { block: busy, irreversible: true, timestamp: devnet.chain.findBlock(busy)?.timestamp, ops: [{}] },
        { block: busy + 1, irreversible: true, ops: [{}, {}] },
      ],
    });
  });

  it.each([
    [{ block_range_begin: 5, block_range_end: 5 }, 'Block range must be upward'],
    [{ block_range_begin: 1, block_range_end: 2002 }, 'less than or equal to 2000'],
    [{ block_range_begin: 1, block_range_end: 2, limit: 150_001 }, 'limit of 150001'],
  ])('rejects %j', async (query, message) => {
    expect(await ask(query)).toMatchObject({
      error: { code: -32003, message: expect.stringContaining(message) as unknown },
    });
  });
});

describe('delegations', () => {
  const vests = (amount: string) => ({ amount, precision: 6, nai: '@@000000037' });
  let timestamp: string;

  beforeAll(() => {
    devnet.delegate('erin', 'frank', '5000.000000 VESTS');
    devnet.delegate('erin', 'grace', '9000.000000 VESTS');
    devnet.delegate('frank', 'erin', '2500.000000 VESTS');
    ({ timestamp } = devnet.chain.head);
    devnet.delegate('erin', 'grace', '3000.000000 VESTS');
  });

  const list = (params: object) => call('database_api.list_vesting_delegations', { order: 'by_delegation', ...params });

  it('are listed page by page', async () => {
    const first = { id: 0, delegator: 'erin', delegatee: 'frank', vesting_shares: vests('5000000000') };
    const second = { id: 1, delegator: 'erin', delegatee: 'grace', vesting_shares: vests('3000000000') };
    const third = { id: 2, delegator: 'frank', delegatee: 'erin' };
    const time = { min_delegation_time: expect.stringMatching(/^2026-01-01T00:00:\d\d$/) as unknown };
    expect(await list({ start: ['miners', ''], limit: 1000 })).toMatchObject({ delegations: [first, second, third] });
    expect(await list({ start: ['miners', ''], limit: 1 })).toEqual({ delegations: [{ ...first, ...time }] });
    expect(await list({ start: ['erin', 'frank'], limit: 2 })).toMatchObject({ delegations: [first, second] });
    expect(await list({ start: ['erin', 'heidi'], limit: 2 })).toMatchObject({ delegations: [third] });
    expect(await call('database_api.find_vesting_delegations', { account: 'erin' })).toMatchObject({
      delegations: [first, second],
    });
    expect(await call('condenser_api.get_vesting_delegations', ['erin', 'grace', 10])).toMatchObject([
      { id: 1, delegatee: 'grace', vesting_shares: '3000.000000 VESTS' },
    ]);
  });

  it.each([
    [{ start: ['miners', ''], limit: 1001 }, 'limit not set or too big'],
    [{ start: ['', ''], limit: 0 }, 'limit not set or too big'],
    [{ start: ['', ''], limit: 1, order: 'by_name' }, 'Unknown or unsupported sort order'],
    [{ start: 'erin', limit: 1 }, 'Array'],
  ])('are rejected for %j', async (params, message) => {
    expect(await list(params)).toMatchObject({ error: { message: expect.stringContaining(message) as unknown } });
  });

  it('are included in the accounts', async () => {
    const balances = { delegated_vesting_shares: vests('14000000000'), received_vesting_shares: vests('2500000000') };
    expect(await call('database_api.find_accounts', { accounts: ['erin'] })).toMatchObject({ accounts: [balances] });
  });

  it('are listed as expiring after their removal, until they return', async () => {
    const expiration = timestamp.replace('2026-01-01', '2026-01-06');
    const found = { delegations: [{ id: 0, delegator: 'erin', vesting_shares: vests('6000000000'), expiration }] };
    const ask = (order: string, start: unknown) =>
      call('database_api.list_vesting_delegation_expirations', { start, limit: 10, order });
    expect(await ask('by_expiration', ['1970-01-01T00:00:00', 0])).toEqual(found);
    expect(await ask('by_expiration', [expiration, 1])).toEqual({ delegations: [] });
    expect(await ask('by_account_expiration', ['erin', '1970-01-01T00:00:00', 0])).toEqual(found);
    expect(await ask('by_account_expiration', ['erin', expiration, 1])).toEqual({ delegations: [] });
    expect(await call('database_api.find_vesting_delegation_expirations', { account: 'erin' })).toEqual(found);
    const legacy = { delegator: 'erin', vesting_shares: '6000.000000 VESTS', expiration };
    const params = ['erin', '2026-01-01T00:00:00', 10];
    expect(await call('condenser_api.get_expiring_vesting_delegations', params)).toMatchObject([legacy]);
  });
});
