import { Injectable } from '@nestjs/common';
import { type DelegationHistoryQuery } from '@waggle/contracts';
import { formatVests } from '../amounts/vests';
import { chainTimeOf } from '../index-state/index-position';
import { type DeferredResponse } from '../responses/deferred-response';
import { type Direction } from '../lists/direction';
import { type CsvFormat, listResponse } from '../lists/list-response';
import { type ChangeRow, HistoryStore } from './history.store';

/** Changes of delegations. */
@Injectable()
export class HistoryService {
  constructor(private readonly store: HistoryStore) {}

  list(direction: Direction, query: DelegationHistoryQuery): DeferredResponse {
    const { account, as_of_block: block, descending } = query;
    return listResponse({
      path: `/api/deleg/history/${direction}`,
      query,
      order: descending ? 'descending' : 'ascending',
      read: (page) => this.store.list(direction, account, page, block),
      isOwn: (id) => this.store.isOwn(direction, account, id),
      json: changeJson,
      csv: { ...historyCsv, snapshot: () => this.store.snapshot(direction, account, block) },
    });
  }
}

/** By hand: see `delegations.formats.ts`. */
function changeJson({ id, createdSeconds, delegator, amount, delegatee }: ChangeRow): string {
  return `{"id":${id},"created":"${chainTimeOf(createdSeconds)}","delegator":"${delegator}","amount":${formatVests(amount)},"delegatee":"${delegatee}"}`;
}

const historyCsv: CsvFormat<ChangeRow> = {
  columns: ['id', 'created', 'delegator', 'delegatee', 'amount'],
  row: ({ id, createdSeconds, delegator, delegatee, amount }) => [
    id,
    chainTimeOf(createdSeconds),
    delegator,
    delegatee,
    formatVests(amount),
  ],
};
