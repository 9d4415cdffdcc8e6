import { formatVests } from '../amounts/vests';
import { chainTimeOf } from '../index-state/index-position';
import { type CsvFormat } from '../lists/list-response';
import { type DelegationRow, type PendingReturnRow } from './delegations.store';

// Written by hand: amounts and ids are texts of exact numbers, which JSON.stringify would quote or round. Names are
// written as they are: names on the chain have only letters, digits, dots and hyphens (`chainAccount`).

export function balanceJson(account: string, balance: { in: string; out: string }): string {
  const { in: given, out } = balance;
  return `{"account":"${account}","balances":{"in":${formatVests(given)},"out":${formatVests(out)}}}`;
}

/** An item of a list of delegations. */
export function delegationJson({ id, delegator, amount, delegatee }: DelegationRow): string {
  return `{"id":${id},"delegator":"${delegator}","amount":${formatVests(amount)},"delegatee":"${delegatee}"}`;
}

/** @param pair undefined if there never was a delegation */
export function pairJson(
  delegator: string,
  delegatee: string,
  pair: { id: string; amount: string } | undefined,
): string {
  const { id = 'null', amount = '0' } = pair ?? {};
  return `{"id":${id},"delegator":"${delegator}","amount":${formatVests(amount)},"delegatee":"${delegatee}"}`;
}

export function returnJson(delegator: string, { id, amount, returnsSeconds }: PendingReturnRow): string {
  return `{"id":${id},"delegator":"${delegator}","amount":${formatVests(amount)},"returns":"${chainTimeOf(returnsSeconds)}"}`;
}

export const delegationsCsv: CsvFormat<DelegationRow> = {
  columns: ['id', 'delegator', 'delegatee', 'amount'],
  row: ({ id, delegator, delegatee, amount }) => [id, delegator, delegatee, formatVests(amount)],
};

/** The rows of a CSV file with the balances of an account. */
export function balanceCsvRows(account: string, { in: given, out }: { in: string; out: string }): string[][] {
  return [
    ['account', 'in', 'out'],
    [account, formatVests(given), formatVests(out)],
  ];
}
