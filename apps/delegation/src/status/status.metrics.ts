import { Inject, Injectable } from '@nestjs/common';
import { Gauge, POOL, Registry } from '@waggle/service';
import { type Pool } from 'pg';
import { findIndexState } from '../index-state/index-state.statements';

/** What an alert is made of when no indexer runs at all: read from the database when metrics are asked for. */
@Injectable()
export class StatusMetrics {
  constructor(@Inject(Registry) registry: Registry, @Inject(POOL) pool: Pool) {
    let syncedTime: Date | null = null;
    const lag = new Gauge({
      name: 'delegation_sync_lag_seconds',
      help: 'Age of the last block that the answers know; NaN before the first',
      registers: [registry],
      collect: async () => {
        // Without a database it is the block that was known last, which grows older; readiness tells the rest.
        const state = await findIndexState(pool).catch(() => undefined);
        if (state !== undefined) {
          block.set(state.syncedBlock);
          syncedTime = state.syncedTime;
        }
        lag.set(syncedTime === null ? NaN : (Date.now() - syncedTime.getTime()) / 1_000);
      },
    });
    const block = new Gauge({
      name: 'delegation_synced_block',
      help: 'The last block that the answers know; NaN before the first',
      registers: [registry],
    });
    block.set(NaN);
  }
}
