import { formatVests } from '../amounts/vests';
import { type CsvFormat } from '../lists/list-response';
import { type DelegationRow } from './delegations.store';

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
