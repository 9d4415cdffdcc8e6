import { Injectable } from '@nestjs/common';
import {
  type BalanceQuery,
  type DelegationPairQuery,
  type DelegationsQuery,
  type PendingReturnsQuery,
} from '@waggle/contracts';
import { type DeferredResponse } from '../responses/deferred-response';
import { csvLines } from '../responses/csv';
import { requireIndexedAsOf } from '../index-state/index-position';
import { listResponse } from '../lists/list-response';
import {
  balanceCsvRows,
  balanceJson,
  delegationJson,
  delegationsCsv,
  pairJson,
  returnJson,
} from './delegations.formats';
import { DelegationsStore } from './delegations.store';
import { type Direction } from '../lists/direction';

/** Delegations now and as of earlier blocks. */
@Injectable()
export class DelegationsService {
  constructor(private readonly store: DelegationsStore) {}

  getBalance(query: BalanceQuery): DeferredResponse {
    const { account, as_of_block: block } = query;
    const read = async () => {
      const { position, ...balance } = await this.store.getBalance(account, block);
      requireIndexedAsOf(position, block);
      return { position, balance };
    };
    return {
      cacheKey: `account ${JSON.stringify(query)}`,
      isOfPast: block !== undefined,
      read: async () => {
        const { position, balance } = await read();
        return { position, body: balanceJson(account, balance) };
      },
      export: async () => {
        const { position, balance } = await read();
        return { position, pages: only(csvLines(balanceCsvRows(account, balance))) };
      },
    };
  }

  list(direction: Direction, query: DelegationsQuery): DeferredResponse {
    const { account, as_of_block: block } = query;
    const response = listResponse({
      path: `/api/deleg/${direction}`,
      query,
      order: 'ascending',
      read: (page) => this.store.list(direction, account, page, block),
      isOwn: (id) => this.store.isOwn(direction, account, id),
      json: delegationJson,
      csv: { ...delegationsCsv, snapshot: () => this.store.snapshot(direction, account, block) },
    });
    return { ...response, isOfPast: block !== undefined };
  }

  getPair(query: DelegationPairQuery): DeferredResponse {
    const { delegator, delegatee, as_of_block: block } = query;
    return {
      cacheKey: `pair ${JSON.stringify(query)}`,
      read: async () => {
        const { position, pair } = await this.store.findPair(delegator, delegatee, block);
        requireIndexedAsOf(position, block);
        return { position, body: pairJson(delegator, delegatee, pair) };
      },
    };
  }

  /** Completed returns are deleted, so every cursor is accepted. */
  listReturns(query: PendingReturnsQuery): DeferredResponse {
    const { account } = query;
    return listResponse({
      path: '/api/deleg/returns',
      query,
      order: 'ascending',
      read: (page) => this.store.listReturns(account, page),
      json: (item) => returnJson(account, item),
    });
  }
}

async function* only(page: string): AsyncGenerator<string> {
  yield await Promise.resolve(page);
}
