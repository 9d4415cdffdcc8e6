import { Devnet } from '../src/devnet';
import { type DevnetNode } from '../src/node/node';
import { callNode, rejected } from './call-node';

let devnet: Devnet;
let hived: DevnetNode;
let old: DevnetNode;

beforeAll(async () => {
  devnet = await Devnet.start({ nodes: ['hived', 'hived-1.25'], unsigned: true });
  [hived, old] = devnet.nodes as [DevnetNode, DevnetNode];
  devnet.delegate('alice', 'bob', '5000.000000 VESTS');
  devnet.makeIrreversible();
});
afterAll(() => devnet.stop());

const call = (method: string, params: unknown) => callNode(hived, method, params);

describe('resource credits', () => {
  const rcOf = async (names: readonly string[], node = hived) =>
    ((await callNode(node, 'rc_api.find_rc_accounts', { accounts: names })) as { rc_accounts: unknown[] }).rc_accounts;

  it('follow from the usable VESTS and the fee of the account', async () => {
    const fee = { amount: '6000000000', precision: 6, nai: '@@000000037' };
    const time = Date.parse(`${devnet.chain.head.timestamp}Z`) / 1000;
    const account = (name: string, max: string) => ({
      account: name,
      rc_manabar: { current_mana: max, last_update_time: time },
      max_rc_creation_adjustment: fee,
      max_rc: max,
      delegated_rc: 0,
      received_delegated_rc: 0,
    });
    const expected = [account('bob', '1011000000000'), account('alice', '1001000000000')];
    expect(await rcOf(['bob', 'stranger', 'alice'])).toEqual(expected);
    expect(await call('condenser_api.find_rc_accounts', [['bob', 'alice']])).toEqual(expected);
    expect(await rcOf(['initminer'])).toMatchObject([{ max_rc_creation_adjustment: { amount: '2020748973' } }]);
    expect(await rcOf([])).toEqual([]);
  });

  it('have no delegations before 1.26', async () => {
    const [account] = await rcOf(['alice'], old);
    expect(account).not.toHaveProperty('delegated_rc');
    expect(account).toHaveProperty('max_rc');
  });

  it('are limited to 1000 accounts', async () => {
    expect(await call('rc_api.find_rc_accounts', { accounts: Array(1001).fill('alice') })).toMatchObject(
      rejected('Assert Exception:args.accounts.size() <= RC_API_SINGLE_QUERY_LIMIT: '),
    );
  });

  it('have parameters and pools of five resources', async () => {
    const names = ['history_bytes', 'new_accounts', 'market_bytes', 'state_bytes', 'execution_time'];
    const { resource_names, resource_params } = (await call('rc_api.get_resource_params', {})) as {
      resource_names: string[];
      resource_params: object;
    };
    expect(resource_names).toEqual(names.map((name) => `resource_${name}`));
    expect(Object.keys(resource_params)).toEqual(resource_names);
    expect(resource_params).toMatchObject({
      resource_history_bytes: {
        resource_dynamics_params: { pool_eq: '27050539251', decay_params: { decay_per_time_unit: 3613026481 } },
        price_curve_params: { coeff_a: '14034213032882683904', coeff_b: 211332338, shift: 52 },
      },
    });
    const pool = { pool: 157691079 };
    expect(await call('rc_api.get_resource_pool', {})).toMatchObject({
      resource_pool: { resource_new_accounts: { ...pool, fill_level: 10000 } },
    });
    expect(await callNode(old, 'rc_api.get_resource_pool', {})).toMatchObject({
      resource_pool: { resource_new_accounts: pool },
    });
    expect(await callNode(old, 'rc_api.get_resource_pool', {})).not.toHaveProperty(
      'resource_pool.resource_new_accounts.fill_level',
    );
  });
});
