import { Client, cryptoUtils, PrivateKey, utils } from '@hiveio/dhive';

export async function session({ url, account, other, step, until, isIrreversible }) {
  const { name, permlink } = account;
  const { broadcast, database, keys, rc, transaction } = new Client(url, { timeout: 10_000 });
  const posting = PrivateKey.fromString(account.posting.wif);
  const active = PrivateKey.fromString(account.active.wif);
  const post = { parent_author: '', parent_permlink: 'bees', author: name, permlink, title: 'T', body: 'B' };
  const json = { required_auths: [], required_posting_auths: [name], id: 'x', json: '{}' };
  const delegation = { delegator: name, delegatee: other, vesting_shares: '5000.000000 VESTS' };

  await step('accounts', () => database.getAccounts([name, 'stranger']));
  await step('properties', () => database.getDynamicGlobalProperties());
  const sent = await step('transfer', () =>
    broadcast.transfer({ from: name, to: other, amount: '0.001 HIVE', memo: 'dhive' }, active),
  );
  await step('comment', () => broadcast.comment({ ...post, json_metadata: '{}' }, posting));
  await step('vote', () => broadcast.vote({ voter: name, author: name, permlink, weight: 100 }, posting));
  await step('custom_json', () => broadcast.json(json, posting));
  await step('delegation', () => broadcast.delegateVestingShares(delegation, active));
  await step('confirmation', () => until(() => transaction.findTransaction(sent.id), isIrreversible));
  await step('rejection', () => broadcast.json({ ...json, id: 'y' }, active));
  await step('RC accounts', () => rc.findRCAccounts([name, 'stranger']));
  await step('RC mana', () => rc.getRCMana(name));
  await step('voting mana', () => rc.getVPMana(name));
  await step('resource parameters', () => rc.getResourceParams());
  await step('resource pool', () => rc.getResourcePool());
  await step('key references', () =>
    keys.getKeyReferences([posting.createPublic(), PrivateKey.fromSeed('nobody').createPublic()]),
  );
  await step('reward fund', () => database.call('get_reward_fund', ['post']));
  await step('price', () => database.getCurrentMedianHistoryPrice());
  await step('feed history', () => database.call('get_feed_history'));
  await step('witness schedule', () => database.call('get_witness_schedule'));
  await step('active witnesses', () => database.call('get_active_witnesses'));
  await step('witness', () => database.call('get_witness_by_account', ['initminer']));
  await step('irreversible delegation', () =>
    until(
      () =>
        database.getAccountHistory(
          name,
          -1,
          1,
          utils.makeBitMaskFilter([utils.operationOrders.delegate_vesting_shares]),
        ),
      ({ length }) => length === 1,
    ),
  );
  await step('account history', () => database.getAccountHistory(name, -1, 100));
  await step('transfers', () =>
    database.getAccountHistory(name, -1, 10, utils.makeBitMaskFilter([utils.operationOrders.transfer])),
  );
  await step('delegations', () => database.getVestingDelegations(name));
  await step('verified authority', async () => {
    const { head_block_number: number, head_block_id: id, time } = await database.getDynamicGlobalProperties();
    const expiration = new Date(Date.parse(`${time}Z`) + 60_000).toISOString().slice(0, -5);
    const ref_block_prefix = Buffer.from(id, 'hex').readUInt32LE(4);
    const operations = [['custom_json', json]];
    const unsigned = { ref_block_num: number & 0xffff, ref_block_prefix, expiration, operations, extensions: [] };
    return database.verifyAuthority(cryptoUtils.signTransaction(unsigned, posting));
  });
}
