import { type Account, parseAccountName } from '../state/account';
import { Asset } from '../state/assets';
import { assertion } from '../errors';
import { fieldsOf, textOf } from '../fields';
import { defineOperation } from './operation';

/** HIVE_MAX_MEMO_SIZE of hived, in bytes. */
const maxMemoBytes = 2048;

/** Moves HIVE or HBD from one account to another. */
export const transfer = defineOperation({
  name: 'transfer',
  parse(json) {
    const fields = fieldsOf(json);
    const value = {
      from: parseAccountName(fields['from']),
      to: parseAccountName(fields['to']),
      amount: Asset.parse(fields['amount']),
      memo: textOf(fields['memo']),
    };
    if (value.amount.symbol === 'VESTS')
      throw assertion('amount.symbol != VESTS_SYMBOL', 'Transfer of vests is not allowed.');
    if (value.amount.units <= 0n)
      throw assertion('amount.amount > 0', 'Cannot transfer a negative amount (aka: stealing)');
    if (Buffer.byteLength(value.memo) >= maxMemoBytes)
      throw assertion('memo.size() < HIVE_MAX_MEMO_SIZE', 'Memo is too large');
    return value;
  },
  requires: ({ from }) => [{ role: 'active', account: from }],
  apply({ from, to, amount }, { state }) {
    state.getAccount(to);
    state.putAccount(pay(state.getAccount(from), amount));
    state.putAccount(receive(state.getAccount(to), amount));
  },
});

/** The account after it paid. @throws NodeError if its balance is too low */
export function pay(account: Account, amount: Asset): Account {
  const rest = balanceOf(account, amount).minus(amount);
  if (rest.units < 0n) {
    throw assertion(
      'available >= -delta',
      'Account ${acc} does not have sufficient funds for balance adjustment. Required: ${r}, Available: ${a}',
      {
        acc: account.name,
        r: amount.legacy(),
        a: balanceOf(account, amount).legacy(),
      },
    );
  }
  return withBalance(account, rest);
}

function receive(account: Account, amount: Asset): Account {
  return withBalance(account, balanceOf(account, amount).plus(amount));
}

function balanceOf(account: Account, { symbol }: Asset): Asset {
  return symbol === 'HIVE' ? account.hive : account.hbd;
}

function withBalance(account: Account, balance: Asset): Account {
  return balance.symbol === 'HIVE' ? { ...account, hive: balance } : { ...account, hbd: balance };
}
