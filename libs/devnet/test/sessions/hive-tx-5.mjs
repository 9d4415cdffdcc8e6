import { call, config, PrivateKey, Transaction, utils } from 'hive-tx-5';

export async function session({ url, account, other, step, until, isIrreversible }) {
  config.node = url;
  const { name, permlink } = account;
  const posting = PrivateKey.from(account.posting.wif);
  const active = PrivateKey.from(account.active.wif);
  const post = { parent_author: '', parent_permlink: 'bees', author: name, permlink, title: 'T', body: 'B' };
  const json = { required_auths: [], required_posting_auths: [name], id: 'x', json: '{}' };
  const resultOf = ({ error, result }) => {
    if (error) throw new Error(error.message);
    return result;
  };
  const get = async (method, params) => resultOf(await call(method, params));
  const send = async (operation, key) => {
    const transaction = new Transaction();
    await transaction.create([operation]);
    const { expiration } = transaction.sign(key);
    return { ...resultOf(await transaction.broadcast()), expiration };
  };
  const history = (limit, ...types) =>
    get('condenser_api.get_account_history', [name, -1, limit, ...utils.makeBitMaskFilter(types)]);
  const delegation = { delegator: name, delegatee: other, vesting_shares: '5000.000000 VESTS' };

  await step('accounts', () => get('condenser_api.get_accounts', [[name, 'stranger']]));
  await step('properties', () => get('condenser_api.get_dynamic_global_properties', []));
  const transfer = { from: name, to: other, amount: '0.001 HIVE', memo: 'hive-tx 5' };
  const sent = await step('transfer', () => send(['transfer', transfer], active));
  await step('comment', () => send(['comment', { ...post, json_metadata: '{}' }], posting));
  await step('vote', () => send(['vote', { voter: name, author: name, permlink, weight: 100 }], posting));
  await step('custom_json', () => send(['custom_json', json], posting));
  await step('delegation', () => send(['delegate_vesting_shares', delegation], active));
  await step('confirmation', () => {
    const params = { transaction_id: sent.tx_id, expiration: sent.expiration };
    return until(() => get('transaction_status_api.find_transaction', params), isIrreversible);
  });
  await step('rejection', () => send(['custom_json', { ...json, id: 'y' }], active));
  await step('RC accounts', () => get('condenser_api.find_rc_accounts', [[name, 'stranger']]));
  await step('key references', () => get('condenser_api.get_key_references', [[account.posting.publicKey]]));
  await step('reward fund', () => get('condenser_api.get_reward_fund', ['post']));
  await step('price', () => get('condenser_api.get_current_median_history_price', []));
  await step('feed history', () => get('condenser_api.get_feed_history', []));
  await step('witness schedule', () => get('condenser_api.get_witness_schedule', []));
  await step('irreversible delegation', () =>
    until(
      () => history(1, utils.operations.delegate_vesting_shares),
      ({ length }) => length === 1,
    ),
  );
  await step('account history', () => get('condenser_api.get_account_history', [name, -1, 100]));
  await step('transfers', () => history(10, utils.operations.transfer));
  await step('delegations', () => get('condenser_api.get_vesting_delegations', [name, '', 100]));
}
