/** The result of the node for every call, about the size of an account. */
export const nodeResult = JSON.stringify([
  {
    id: 1370484,
    name: 'bench',
    json_metadata: '',
    posting_json_metadata: JSON.stringify({ profile: { name: 'Bench', about: 'x'.repeat(300) } }),
    created: '2020-03-20T14:00:00',
    balance: '1000.000 HIVE',
    hbd_balance: '1000.000 HBD',
    vesting_shares: '2000000.000000 VESTS',
    memo_key: 'STM6LLegbAgLAy28EHrffBVuANFWcFgmqRMW13wBmTExqFE9SCkg4',
    reputation: '1000000000000',
    witness_votes: Array.from({ length: 20 }, (_, number) => `witness-${number}`),
  },
]);
