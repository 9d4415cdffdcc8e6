// The calls of Ecency's SDK. It is not in the npm registry, and contains a copy of hive-tx 7, which makes the calls
// here.
import { callRPC, config, PrivateKey, Transaction, utils } from 'hive-tx';

export async function session({ url, account, other, step, until, isIrreversible }) {
  config.nodes = [url];
  config.retry = 0;
  const { name, permlink } = account;
  const posting = PrivateKey.from(account.posting.wif);
  const active = PrivateKey.from(account.active.wif);
  const post = { parent_author: '', parent_permlink: 'bees', author: name, permlink, title: 'T', body: 'B' };
  const json = { required_auths: [], required_posting_auths: [name], id: 'x', json: '{}' };
  const send = async (operation, value, key) => {
    const transaction = new Transaction();
    await transaction.addOperation(operation, value);
    transaction.sign(key);
    const result = await callRPC('condenser_api.broadcast_transaction_synchronous', [transaction.transaction]);
    return { ...result, expiration: transaction.transaction.expiration };
  };
  const history = (limit, ...types) =>
    callRPC('condenser_api.get_account_history', [name, -1, limit, ...utils.makeBitMaskFilter(types)]);
  const delegation = { delegator: name, delegatee: other, vesting_shares: '5000.000000 VESTS' };

  await step('accounts', () => callRPC('condenser_api.get_accounts', [[name, 'stranger']]));
  await step('properties', () => callRPC('condenser_api.get_dynamic_global_properties', []));
  const transfer = { from: name, to: other, amount: '0.001 HIVE', memo: 'Ecency' };
  const sent = await step('transfer', () => send('transfer', transfer, active));
  await step('comment', () => send('comment', { ...post, json_metadata: '{}' }, posting));
  await step('vote', () => send('vote', { voter: name, author: name, permlink, weight: 100 }, posting));
  await step('custom_json', () => send('custom_json', json, posting));
  await step('delegation', () => send('delegate_vesting_shares', delegation, active));
  await step('confirmation', () => {
    const params = { transaction_id: sent.id, expiration: sent.expiration };
    return until(() => callRPC('transaction_status_api.find_transaction', params), isIrreversible);
  });
  await step('rejection', () => send('custom_json', { ...json, id: 'y' }, active));
  await step('RC accounts', async () => (await callRPC('rc_api.find_rc_accounts', { accounts: [name] })).rc_accounts);
  await step('reward fund', () => callRPC('condenser_api.get_reward_fund', ['post']));
  await step('feed history', () => callRPC('condenser_api.get_feed_history', []));
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
