import { type Authority, authorityOf } from '../src/state/authority';
import { Devnet } from '../src/devnet';
import { devnetKeys } from '../src/keys';
import { callNode, rejected } from './call-node';

let devnet: Devnet;

beforeAll(async () => {
  devnet = await Devnet.start({ unsigned: true });
});
afterAll(() => devnet.stop());

const call = (method: string, params: unknown) => callNode(devnet.node, method, params);

describe('key references', () => {
  const key = (name: string, role: 'owner' | 'active' | 'posting' | 'memo') => devnetKeys(name)[role].publicKey;

  it('name the accounts of each key, in the order of names, but not of memo keys', async () => {
    const shared: Authority = authorityOf(key('dave', 'posting'));
    devnet.setAuthority('carol', 'posting', shared);
    devnet.setAuthority('carol', 'active', shared);
    const keys = [
      key('dave', 'posting'),
      key('alice', 'owner'),
      key('alice', 'memo'),
      key('stranger', 'active'),
      key('alice', 'active'),
    ];
    const expected = [['carol', 'dave'], ['alice'], [], [], ['alice']];
    expect(await call('account_by_key_api.get_key_references', { keys })).toEqual({ accounts: expected });
    expect(await call('condenser_api.get_key_references', [keys])).toEqual(expected);
    expect(await call('account_by_key_api.get_key_references', {})).toEqual({ accounts: [] });
  });

  it('are not those of a text that is no key', async () => {
    expect(await call('condenser_api.get_key_references', [['STM1']])).toMatchObject({ error: { code: -32000 } });
    expect(await call('condenser_api.get_key_references', [])).toMatchObject(
      rejected('Assert Exception:args.size() == 1: Expected #s argument(s), was 0'),
    );
  });
});

describe('the reward fund and the price', () => {
  interface Fund {
    reward_balance: string;
    recent_claims: string;
  }
  interface Price {
    base: string;
    quote: string;
  }

  it('give votes the value that the posts have', async () => {
    devnet.post('alice', 'a-post');
    devnet.vote('carol', { author: 'alice', permlink: 'a-post' });
    const fund = (await call('condenser_api.get_reward_fund', ['post'])) as Fund;
    const { base, quote } = (await call('condenser_api.get_current_median_history_price', [])) as Price;
    const [{ rshares } = { rshares: 0 }] = devnet.chain.state.votes
      .on(devnet.chain.state.comments.get('alice', 'a-post'))
      .map((vote) => ({ rshares: Number(vote.rshares) }));
    // As wallets compute it.
    const hive = (rshares / Number(fund.recent_claims)) * parseFloat(fund.reward_balance);
    const hbd = (hive * parseFloat(base)) / parseFloat(quote);
    const { pending_payout_value } = (await call('condenser_api.get_content', ['alice', 'a-post'])) as {
      pending_payout_value: string;
    };
    expect(hbd).toBeGreaterThan(0);
    expect(`${(Math.floor(hbd * 1000) / 1000).toFixed(3)} HBD`).toBe(pending_payout_value);
  });

  it('are the same in database_api', async () => {
    expect(await call('database_api.get_reward_funds', {})).toMatchObject({
      funds: [{ id: 0, name: 'post', reward_balance: { nai: '@@000000021' }, recent_claims: '4000000000000000' }],
    });
    expect(await call('database_api.get_current_price_feed', {})).toEqual({
      base: { amount: '250', precision: 3, nai: '@@000000013' },
      quote: { amount: '1000', precision: 3, nai: '@@000000021' },
    });
    const price = { base: '0.250 HBD', quote: '1.000 HIVE' };
    expect(await call('condenser_api.get_feed_history', [])).toMatchObject({
      current_median_history: price,
      current_min_history: price,
      current_max_history: price,
      price_history: [price],
    });
  });

  it('there is no other fund', async () => {
    expect(await call('condenser_api.get_reward_fund', ['comment'])).toMatchObject(
      rejected('Assert Exception:fund != nullptr: Invalid reward fund name'),
    );
  });
});

describe('witnesses', () => {
  const schedule = ['initminer', ...Array<string>(20).fill('')];

  it('are the one that makes the blocks', async () => {
    const { number, signingKey } = devnet.chain.head;
    const witness = { owner: 'initminer', last_confirmed_block_num: number, signing_key: signingKey };
    expect(await call('condenser_api.get_witness_by_account', ['initminer'])).toMatchObject({
      ...witness,
      props: { account_creation_fee: '3.000 HIVE' },
      total_missed: 0,
    });
    expect(await call('condenser_api.get_witness_by_account', ['alice'])).toBeNull();
    const owners = ['alice', 'initminer', 'stranger'];
    expect(await call('database_api.find_witnesses', { owners })).toMatchObject({
      witnesses: [{ ...witness, props: { account_creation_fee: { amount: '3000' } } }],
    });
    expect(await call('condenser_api.get_witnesses_by_vote', ['', 10])).toMatchObject([witness]);
    expect(await call('condenser_api.get_witnesses_by_vote', ['alice', 10])).toMatchObject([witness]);
    expect(await call('condenser_api.get_witnesses_by_vote', ['zoe', 10])).toEqual([]);
    const tooMany = rejected(
      'Assert Exception:0 < args.limit && args.limit <= DATABASE_API_SINGLE_QUERY_LIMIT: limit not set or too big',
    );
    expect(await call('condenser_api.get_witnesses_by_vote', ['', 1001])).toMatchObject(tooMany);
  });

  it('count the slots without a block', async () => {
    const other = await Devnet.start({ unsigned: true });
    try {
      other.chain.produceBlock(4);
      const { number } = other.chain.head;
      expect(await callNode(other.node, 'condenser_api.get_witness_by_account', ['initminer'])).toMatchObject({
        total_missed: 4,
        last_aslot: number + 4,
      });
    } finally {
      await other.stop();
    }
  });

  it('have a schedule', async () => {
    const expected = { current_shuffled_witnesses: schedule, num_scheduled_witnesses: 1 };
    expect(await call('condenser_api.get_witness_schedule', [])).toMatchObject({
      ...expected,
      median_props: { account_creation_fee: '3.000 HIVE' },
    });
    expect(await call('database_api.get_witness_schedule', { include_future: true })).toMatchObject({
      ...expected,
      median_props: { account_creation_fee: { amount: '3000' } },
      future_shuffled_witnesses: schedule,
    });
    expect(await call('condenser_api.get_active_witnesses', [])).toEqual(schedule);
    expect(await call('condenser_api.get_active_witnesses', [true])).toEqual([...schedule, '', ...schedule]);
    expect(await call('database_api.get_active_witnesses', {})).toEqual({ witnesses: schedule });
    expect(await call('condenser_api.get_active_witnesses', [false, 1])).toMatchObject(
      rejected('Assert Exception:args.size() <= 1: Expected at most 1 argument, was 2'),
    );
    expect(await call('condenser_api.get_hardfork_version', [])).toBe('1.28.0');
  });
});

describe('verify_authority', () => {
  const transaction = {
    ref_block_num: 0,
    ref_block_prefix: 0,
    expiration: '2026-01-01T00:00:00',
    operations: [['custom_json', { required_auths: [], required_posting_auths: ['alice'], id: 'x', json: '{}' }]],
    extensions: [],
    signatures: [],
  };

  it('rejects a transaction without its signatures', async () => {
    const missing = rejected('missing required posting authority:Missing Posting Authority alice', -32000);
    expect(await call('condenser_api.verify_authority', [transaction])).toMatchObject(missing);
    expect(await call('database_api.verify_authority', { trx: transaction, pack: 'hf26' })).toMatchObject(missing);
    const nothing = { ...transaction, operations: [] };
    expect(await call('database_api.verify_authority', { trx: nothing, pack: 'legacy' })).toEqual({ valid: true });
    expect(await call('database_api.verify_authority', { trx: nothing, pack: 'json' })).toMatchObject({ error: {} });
  });
});

it('get_transaction_hex rejects signatures that are not 65 bytes in hex, and more than 127', async () => {
  const transaction = { ref_block_num: 0, ref_block_prefix: 0, expiration: '2026-01-01T00:00:00', operations: [] };
  const hexWith = (...signatures: string[]) =>
    call('condenser_api.get_transaction_hex', [{ ...transaction, extensions: [], signatures }]);
  const signature = '1f'.repeat(65);
  expect(await hexWith(signature)).toMatch(new RegExp(`01${signature}$`));
  for (const signatures of [['zz'], [signature, '1f'], Array<string>(128).fill(signature)])
    expect(await hexWith(...signatures)).toMatchObject({ error: {} });
});

it('names longer than 16 characters are errors', async () => {
  const message =
    'Assert Exception:in_len <= sizeof(data): Input too large: `toolargeinputitis` (17) for fixed size string: (16)';
  const names = ['toolargeinputitis'];
  expect(await call('database_api.find_accounts', { accounts: names })).toMatchObject(rejected(message));
  expect(await call('condenser_api.get_accounts', [names])).toMatchObject(rejected(message));
  expect(await call('rc_api.find_rc_accounts', { accounts: names })).toMatchObject(rejected(message));
  expect(await call('database_api.find_witnesses', { owners: names })).toMatchObject(rejected(message));
});
