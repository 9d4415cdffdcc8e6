import { Inject, Injectable } from '@nestjs/common';
import { type DelegationStatus } from '@waggle/contracts';
import { POOL } from '@waggle/service';
import { type Pool } from 'pg';
import { findIndexState } from '../index-state/index-state.statements';
import { chainTimeOf, lagSeconds } from '../index-state/index-position';
import { findBackfilledBlock } from './status.store';

const statusBeforeStart: DelegationStatus = {
  synced_block: null,
  synced_time: null,
  lag_seconds: null,
  irreversible_block: null,
  blocks_behind: null,
  ready: false,
  history_from_block: null,
  as_of_from_block: null,
  backfill: null,
};

/** Reports the progress of the index, which the indexer stores in the database. */
@Injectable()
export class StatusService {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async get(): Promise<DelegationStatus> {
    const [state, backfilled] = await Promise.all([findIndexState(this.pool), findBackfilledBlock(this.pool)]);
    if (state === undefined) return statusBeforeStart;
    const syncedSeconds = state.syncedTime === null ? undefined : state.syncedTime.getTime() / 1_000;
    return {
      synced_block: state.syncedBlock,
      synced_time: syncedSeconds === undefined ? null : chainTimeOf(syncedSeconds),
      lag_seconds: lagSeconds({ syncedSeconds }) ?? null,
      irreversible_block: state.irreversibleBlock,
      blocks_behind: Math.max(0, state.irreversibleBlock - state.syncedBlock),
      ready: state.syncedBlock >= state.loadedTo,
      history_from_block: state.historyFrom,
      as_of_from_block: state.asOfFrom,
      backfill:
        backfilled === undefined || backfilled >= state.loadedFrom
          ? null
          : { block: backfilled, until_block: state.loadedFrom },
    };
  }
}
