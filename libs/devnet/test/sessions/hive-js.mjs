import hive from '@hiveio/hive-js';

export async function session({ url, account, other, step, until, isIrreversible }) {
  const { api, auth, broadcast, config } = hive;
  const { name, permlink, posting, active } = account;
  // Without alternative endpoints an error switches to a public node.
  api.setOptions({ url, alternative_api_endpoints: [url] });
  config.set('address_prefix', 'STM');
  const prepare = (operations) => broadcast._prepareTransaction({ extensions: [], operations });
  const json = ['custom_json', { required_auths: [], required_posting_auths: [name], id: 'x', json: '{}' }];

  await step('accounts', () => api.getAccountsAsync([name, 'stranger']));
  await step('properties', () => api.getDynamicGlobalPropertiesAsync());
  const sent = await step('transfer', () => broadcast.transferAsync(active.wif, name, other, '0.001 HIVE', 'hive-js'));
  await step('comment', () => broadcast.commentAsync(posting.wif, '', 'bees', name, permlink, 'T', 'B', {}));
  await step('vote', () => broadcast.voteAsync(posting.wif, name, name, permlink, 100));
  await step('custom_json', () => broadcast.customJsonAsync(posting.wif, [], [name], 'x', '{}'));
  await step('delegation', () => broadcast.delegateVestingSharesAsync(active.wif, name, other, '5000.000000 VESTS'));
  await step('confirmation', () => until(() => api.findTransactionAsync(sent.id, sent.expiration), isIrreversible));
  await step('rejection', () => broadcast.customJsonAsync(active.wif, [], [name], 'y', '{}'));
  await step('RC accounts', () => api.findRcAccountsAsync([name, 'stranger']));
  await step('key references', () => api.getKeyReferencesAsync([posting.publicKey]));
  await step('reward fund', () => api.getRewardFundAsync('post'));
  await step('price', () => api.getCurrentMedianHistoryPriceAsync());
  await step('feed history', () => api.getFeedHistoryAsync());
  await step('witness schedule', () => api.getWitnessScheduleAsync());
  await step('active witnesses', () => api.getActiveWitnessesAsync());
  await step('witness', () => api.getWitnessByAccountAsync('initminer'));
  await step('witnesses by votes', () => api.getWitnessesByVoteAsync('', 10));
  await step('hardfork version', () => api.getHardforkVersionAsync());
  // A call without a filter removes these parameters from all later ones.
  await step('irreversible delegation', () =>
    until(
      () => api.getAccountHistoryAsync(name, -1, 1, 2 ** 40, 0),
      ({ length }) => length === 1,
    ),
  );
  await step('transfers', () => api.getAccountHistoryAsync(name, -1, 10, 4, 0));
  await step('account history', () => api.getAccountHistoryAsync(name, -1, 100));
  await step('delegations', () => api.getVestingDelegationsAsync(name, '', 100));
  await step('verified authority', async () =>
    api.verifyAuthorityAsync(auth.signTransaction(await prepare([json]), { posting: posting.wif })),
  );
  await step('transaction in hex', async () =>
    api.getTransactionHexAsync({ ...(await prepare([json])), signatures: [] }),
  );
  await step('synchronous broadcast', async () => {
    const another = ['custom_json', { ...json[1], id: 'synchronous' }];
    const signed = auth.signTransaction(await prepare([another]), { posting: posting.wif });
    return api.broadcastTransactionSynchronousAsync(signed);
  });
}
