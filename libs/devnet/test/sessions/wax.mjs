import { randomUUID } from 'node:crypto';
import createBeekeeper from '@hiveio/beekeeper';
import { createHiveChain, EManabarType } from '@hiveio/wax';

/** Parameters and result of a method that wax does not declare. */
const method = { params: Object, result: Object };

export async function session({ url, account, other, step, until, isIrreversible }) {
  const { name, permlink } = account;
  const base = await createHiveChain({ apiEndpoint: url, restApiEndpoint: url, apiTimeout: 10_000 });
  const chain = base.extend({
    transaction_status_api: { find_transaction: method },
    rc_api: { get_resource_params: method, get_resource_pool: method },
    account_history_api: { get_account_history: method },
    database_api: {
      get_reward_funds: method,
      get_current_price_feed: method,
      get_feed_history: method,
      get_active_witnesses: method,
      find_vesting_delegations: method,
    },
  });
  // Each call names the whole path: `chain.api` remembers what was read before.
  const { api } = chain;
  const beekeeper = await createBeekeeper({ inMemory: true, enableLogs: false });
  const { wallet } = await beekeeper.createSession(randomUUID()).createWallet('wallet', undefined, true);
  const posting = await wallet.importKey(account.posting.wif);
  const active = await wallet.importKey(account.active.wif);
  const post = { parent_author: '', parent_permlink: 'bees', author: name, permlink, title: 'T', body: 'B' };
  const json = { required_auths: [], required_posting_auths: [name], id: 'x', json: '{}' };
  const create = async (operation, key) => {
    const transaction = await chain.createTransaction();
    transaction.pushOperation(operation);
    transaction.validate();
    transaction.addSignature(wallet.signDigest(key, transaction.sigDigest));
    return transaction;
  };
  const send = async (operation, key) => {
    const transaction = await create(operation, key);
    await chain.broadcast(transaction);
    return { id: transaction.id, expiration: transaction.transaction.expiration };
  };
  const history = async (limit, low) => {
    const filter = low === undefined ? {} : { operation_filter_low: low, operation_filter_high: 0 };
    return (await api.account_history_api.get_account_history({ account: name, start: -1, limit, ...filter })).history;
  };

  await step('accounts', async () => (await api.database_api.find_accounts({ accounts: [name, 'stranger'] })).accounts);
  await step('properties', () => api.database_api.get_dynamic_global_properties({}));
  const transfer = { from: name, to: other, amount: chain.hiveSatoshis(1), memo: 'wax' };
  const sent = await step('transfer', () => send({ transfer_operation: transfer }, active));
  await step('comment', () => send({ comment_operation: { ...post, json_metadata: '{}' } }, posting));
  await step('vote', () => send({ vote_operation: { voter: name, author: name, permlink, weight: 100 } }, posting));
  await step('custom_json', () => send({ custom_json_operation: json }, posting));
  const vesting_shares = chain.vestsSatoshis(5_000_000_000);
  await step('delegation', () =>
    send({ delegate_vesting_shares_operation: { delegator: name, delegatee: other, vesting_shares } }, active),
  );
  await step('confirmation', () => {
    const params = { transaction_id: sent.id, expiration: sent.expiration };
    return until(() => api.transaction_status_api.find_transaction(params), isIrreversible);
  });
  await step('rejection', () => send({ custom_json_operation: { ...json, id: 'y' } }, active));
  await step('assertion', () => api.database_api.find_accounts({ accounts: ['toolargeinputitis'] }));
  await step(
    'RC accounts',
    async () => (await api.rc_api.find_rc_accounts({ accounts: [name, 'stranger'] })).rc_accounts,
  );
  await step('RC mana', () => chain.calculateCurrentManabarValueForAccount(name, EManabarType.RC));
  await step('voting mana', () => chain.calculateCurrentManabarValueForAccount(name, EManabarType.UPVOTE));
  await step('resource parameters', () => api.rc_api.get_resource_params({}));
  await step('resource pool', () => api.rc_api.get_resource_pool({}));
  await step(
    'key references',
    async () => (await api.account_by_key_api.get_key_references({ keys: [account.posting.publicKey] })).accounts,
  );
  await step('reward fund', async () => (await api.database_api.get_reward_funds({})).funds[0]);
  await step('price', () => api.database_api.get_current_price_feed({}));
  await step('feed history', () => api.database_api.get_feed_history({}));
  await step('witness schedule', () => api.database_api.get_witness_schedule({ include_future: false }));
  await step('active witnesses', async () => (await api.database_api.get_active_witnesses({})).witnesses);
  await step(
    'witness',
    async () => (await api.database_api.find_witnesses({ owners: ['initminer', name] })).witnesses[0],
  );
  await step('irreversible delegation', () =>
    until(
      () => history(1, 2 ** 40),
      ({ length }) => length === 1,
    ),
  );
  await step('account history', () => history(100));
  await step('transfers', () => history(10, 4));
  await step(
    'delegations',
    async () => (await api.database_api.find_vesting_delegations({ account: name })).delegations,
  );
  await step('verified authority', async () => {
    const transaction = await create({ transfer_operation: transfer }, active);
    return (await api.database_api.verify_authority({ trx: transaction.toApiJson(), pack: 'hf26' })).valid;
  });
  await beekeeper.delete();
}
