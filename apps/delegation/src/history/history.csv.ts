import { formatVests } from '../amounts/vests';
import { chainTimeOf } from '../index-state/chain-time';
import { type CsvFormat } from '../lists/list-response';
import { type ChangeRow } from './history.store';

export const historyCsv: CsvFormat<ChangeRow> = {
  columns: ['id', 'created', 'delegator', 'delegatee', 'amount'],
  row: ({ id, createdSeconds, delegator, delegatee, amount }) => [
    id,
    chainTimeOf(createdSeconds),
    delegator,
    delegatee,
    formatVests(amount),
  ],
};
