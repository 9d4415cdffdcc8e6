import { callRPC, config, PrivateKey, Transaction, utils } from 'hive-tx';

export async function session({ url, account, other, step, until }) {
  config.nodes = [url];
  config.retry = 0;
  const { name, permlink } = account;
  const posting = PrivateKey.from(account.posting.wif);
  const active = PrivateKey.from(account.active.wif);
  const post = { parent_author: '', parent_permlink: 'bees', author: name, permlink, title: 'T', body: 'B' };
  const json = { required_auths: [], required_posting_auths: [name], id: 'x', json: '{}' };
  const send = async (operation, value, key, waits = false) => {
    const transaction = new Transaction();
    await transaction.addOperation(operation, value);
    transaction.sign(key);
    return transaction.broadcast(waits);
  };
  const history = (limit, ...types) =>
    callRPC('condenser_api.get_account_history', [name, -1, limit, ...utils.makeBitMaskFilter(types)]);
  const delegation = { delegator: name, delegatee: other, vesting_shares: '5000.000000 VESTS' };

  await step('accounts', () => callRPC('condenser_api.get_accounts', [[name, 'stranger']]));
  await step('properties', () => callRPC('condenser_api.get_dynamic_global_properties', []));
  await step('comment', () => send('comment', { ...post, json_metadata: '{}' }, posting));
  await step('vote', () => send('vote', { voter: name, author: name, permlink, weight: 100 }, posting));
  await step('custom_json', () => send('custom_json', json, posting));
  await step('delegation', () => send('delegate_vesting_shares', delegation, active));
  const transfer = { from: name, to: other, amount: '0.001 HIVE', memo: 'hive-tx 7' };
  // Resolves when the transaction is irreversible.
  await step('confirmation', () => send('transfer', transfer, active, true));
  await step('rejection', () => send('custom_json', { ...json, id: 'y' }, active));
  await step('RC accounts', () => callRPC('condenser_api.find_rc_accounts', [[name, 'stranger']]));
  await step('key references', () => callRPC('condenser_api.get_key_references', [[account.posting.publicKey]]));
  await step('reward fund', () => callRPC('condenser_api.get_reward_fund', ['post']));
  await step('price', () => callRPC('condenser_api.get_current_median_history_price', []));
  await step('feed history', () => callRPC('condenser_api.get_feed_history', []));
  await step('witness schedule', () => callRPC('condenser_api.get_witness_schedule', []));
  await step('irreversible delegation', () =>
    until(
      () => history(1, utils.operations.delegate_vesting_shares),
      ({ length }) => length === 1,
    ),
  );
  await step('account history', () => callRPC('condenser_api.get_account_history', [name, -1, 100]));
  await step('transfers', () => history(10, utils.operations.transfer));
  await step('delegations', () => callRPC('condenser_api.get_vesting_delegations', [name, '', 100]));
}
