import { Injectable } from '@nestjs/common';
import { type DelegationHistoryQuery } from '@waggle/contracts';
import { formatVests } from '../amounts/vests';
import { type DeferredResponse } from '../responses/deferred-response';
import { type Direction } from '../lists/direction';
import { chainTimeOf } from '../index-state/chain-time';
import { listResponse } from '../lists/list-response';
import { historyCsv } from './history.csv';
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
      ascends: !descending,
      read: (page) => this.store.list(direction, account, page, block),
      isOwn: (id) => this.store.isOwn(direction, account, id),
      json: changeJson,
      csv: { ...historyCsv, snapshot: () => this.store.snapshot(direction, account, block) },
    });
  }
}

/** By hand: see `delegations.json.ts`. */
function changeJson({ id, createdSeconds, delegator, amount, delegatee }: ChangeRow): string {
  return `{"id":${id},"created":"${chainTimeOf(createdSeconds)}","delegator":"${delegator}","amount":${formatVests(amount)},"delegatee":"${delegatee}"}`;
}
