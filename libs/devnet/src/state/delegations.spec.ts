import { hardforkHive } from '../chain/block-effects';
import { DevnetChain } from '../chain/chain';
import { newAccount } from '../chain/genesis';
import { devnetKeys } from '../keys';
import { blockIntervalSeconds, delegationReturnSeconds } from '../protocol';
import { hiveTime, secondsOf } from '../time';

/** Slots until removed VESTS return. */
const returnSlots = delegationReturnSeconds / blockIntervalSeconds;
const fiveDaysAfter = (time: string): string => hiveTime(secondsOf(time) + delegationReturnSeconds);

let chain: DevnetChain;
beforeEach(() => {
  chain = new DevnetChain({ unsigned: true });
});

function delegate(delegator: string, delegatee: string, vests: string): void {
  chain.include([['delegate_vesting_shares', { delegator, delegatee, vesting_shares: `${vests}.000000 VESTS` }]], []);
}

function vestsOf(name: string): { delegated: string; received: string } {
  const { delegatedVests, receivedVests } = chain.state.getAccount(name);
  return { delegated: delegatedVests.legacy(), received: receivedVests.legacy() };
}

/** `alice>bob 5000.000000 VESTS`, in the order of the chain. */
function delegations(): string[] {
  return [...chain.state.delegations.from()].map(
    ({ delegator, delegatee, vests }) => `${delegator}>${delegatee} ${vests.legacy()}`,
  );
}

function virtualOperations(names: readonly string[]): unknown[] {
  return chain.head.operations
    .filter(({ operation, virtual }) => virtual && names.includes(operation.name))
    .map(({ operation }) => operation.value);
}

describe('a delegation', () => {
  it('replaces the previous amount, and counts for both accounts', () => {
    delegate('alice', 'bob', '5000');
    delegate('alice', 'bob', '7000');
    delegate('alice', 'carol', '2000');
    delegate('bob', 'alice', '3000');
    expect(delegations()).toEqual([
      'alice>bob 7000.000000 VESTS',
      'alice>carol 2000.000000 VESTS',
      'bob>alice 3000.000000 VESTS',
    ]);
    expect(vestsOf('alice')).toEqual({ delegated: '9000.000000 VESTS', received: '3000.000000 VESTS' });
  });

  it('that is removed leaves the receiver at once, and returns to the delegator after five days', () => {
    delegate('alice', 'bob', '9000');
    chain.produceBlock();
    delegate('alice', 'bob', '4000');
    const { timestamp } = chain.head;
    delegate('alice', 'bob', '0');
    expect(delegations()).toEqual([]);
    expect(vestsOf('bob').received).toBe('0.000000 VESTS');
    expect(vestsOf('alice').delegated).toBe('9000.000000 VESTS');
    const expiration = fiveDaysAfter(timestamp);
    expect(chain.state.delegations.expirationsOf('alice')).toMatchObject([{ id: 0, expiration }, { id: 1 }]);
    chain.produceBlock(returnSlots - 1);
    expect(chain.head.timestamp).toBe(expiration);
    expect(vestsOf('alice').delegated).toBe('9000.000000 VESTS');
    chain.produceBlock();
    expect(vestsOf('alice').delegated).toBe('0.000000 VESTS');
    expect(virtualOperations(['return_vesting_delegation'])).toMatchObject([
      { account: 'alice', vesting_shares: { units: 5_000_000_000n } },
      { account: 'alice', vesting_shares: { units: 4_000_000_000n } },
    ]);
    expect(chain.state.delegations.expirationsOf('alice')).toEqual([]);
  });

  it('has a new id when it is created again', () => {
    delegate('alice', 'bob', '5000');
    delegate('alice', 'bob', '0');
    chain.produceBlock();
    delegate('alice', 'bob', '5000');
    expect(chain.state.delegations.find('alice', 'bob')?.id).toBe(1);
  });

  it.each([
    ['more than one owns', '1000001', 'does not have enough vesting shares'],
    ['less than the minimum', '1999', 'Account must delegate a minimum of 2000.000000 VESTS'],
    ['of nothing', '0', 'Account must delegate a minimum'],
  ])('cannot be %s', (_what, vests, message) => {
    expect(() => {
      delegate('alice', 'bob', vests);
    }).toThrow(message);
  });

  it.each([
    ['5100', 'Hive Power increase is not enough of a difference'],
    ['5000', 'Hive Power increase is not enough of a difference'],
    ['4900', 'Hive Power decrease is not enough of a difference'],
    ['1000', 'Delegation must be removed or leave minimum delegation amount'],
    ['1000001', 'does not have enough vesting shares'],
  ])('of 5000 cannot become %s', (vests, message) => {
    delegate('alice', 'bob', '5000');
    chain.produceBlock();
    expect(() => {
      delegate('alice', 'bob', vests);
    }).toThrow(message);
  });

  it('cannot use pending returns, and cannot go to the delegator or an unknown account', () => {
    delegate('alice', 'bob', '999000');
    delegate('alice', 'bob', '0');
    expect(() => {
      delegate('alice', 'bob', '2000');
    }).toThrow('available: 1000.000000 VESTS');
    expect(() => {
      delegate('alice', 'alice', '2000');
    }).toThrow('yourself');
    expect(() => {
      delegate('alice', 'stranger', '2000');
    }).toThrow('unknown account stranger');
  });

  it('can be created with an account, and then returns after thirty days at the earliest', () => {
    const value = { ...newAccount('newcomer'), creator: 'alice', delegation: '30000.000000 VESTS', extensions: [] };
    chain.include([['account_create_with_delegation', value]], []);
    const thirtyDaysLater = hiveTime(secondsOf(chain.head.timestamp) + 30 * 24 * 60 * 60);
    chain.produceBlock();
    expect(delegations()).toEqual(['alice>newcomer 30000.000000 VESTS']);
    const created = { new_account_name: 'newcomer', initial_delegation: { units: 30_000_000_000n } };
    expect(virtualOperations(['account_created'])).toMatchObject([created]);
    delegate('alice', 'newcomer', '0');
    expect(chain.state.delegations.expirationsOf('alice')).toMatchObject([{ expiration: thirtyDaysLater }]);
  });
});

it('hardfork 23 removes all VESTS and delegations of an account', () => {
  delegate('alice', 'bob', '9000');
  delegate('alice', 'carol', '9000');
  delegate('alice', 'carol', '4000');
  delegate('dave', 'alice', '6000');
  chain.atNextBlock(hardforkHive('alice'));
  chain.produceBlock();
  expect(delegations()).toEqual(['dave>alice 6000.000000 VESTS']);
  expect(vestsOf('alice')).toEqual({ delegated: '0.000000 VESTS', received: '6000.000000 VESTS' });
  expect(vestsOf('bob').received).toBe('0.000000 VESTS');
  expect(virtualOperations(['hardfork_hive'])).toMatchObject([
    { account: 'alice', other_affected_accounts: ['bob', 'carol'], vests_converted: { units: 1_000_000_000_000n } },
  ]);
  chain.produceBlock(2 * returnSlots);
  expect(virtualOperations(['return_vesting_delegation'])).toEqual([]);
});

it('HIVE is converted into VESTS, for the sender or another account', () => {
  const vest = (to: string) =>
    chain.include([['transfer_to_vesting', { from: 'alice', to, amount: '10.000 HIVE' }]], []);
  vest('');
  vest('bob');
  chain.produceBlock();
  expect(chain.state.getAccount('alice').vests.legacy()).toBe('1020000.000000 VESTS');
  expect(chain.state.getAccount('alice').hive.legacy()).toBe('980.000 HIVE');
  expect(chain.state.getAccount('bob').vests.legacy()).toBe('1020000.000000 VESTS');
  expect(virtualOperations(['transfer_to_vesting_completed'])).toMatchObject([
    { to_account: 'alice' },
    { from_account: 'alice', to_account: 'bob' },
  ]);
});

it('a delegation requires a signature like any other operation', () => {
  const signed = new DevnetChain();
  const value = { delegator: 'alice', delegatee: 'bob', vesting_shares: '5000.000000 VESTS' };
  expect(() => signed.include([['delegate_vesting_shares', value]], [devnetKeys('alice').posting.wif])).toThrow(
    'Missing Active Authority alice',
  );
  signed.include([['delegate_vesting_shares', value]], [devnetKeys('alice').active.wif]);
  expect(signed.produceBlock().transactions).toHaveLength(1);
});
