import { Inject, Injectable } from '@nestjs/common';
import { Gauge, POOL, Registry } from '@waggle/service';
import { type Pool } from 'pg';
import { findIndexState } from '../index-state/index-state.statements';

/** What an alert is made of when no indexer runs at all: read from the database when metrics are asked for. */
@Injectable()
export class StatusMetrics {
  constructor(@Inject(Registry) registry: Registry, @Inject(POOL) pool: Pool) {
    const lag = new Gauge({
      name: 'delegation_sync_lag_seconds',
      help: 'Age of the last block that the answers know',
      registers: [registry],
      collect: async () => {
        // Without a database there is nothing to tell; readiness tells that.
        const state = await findIndexState(pool).catch(() => undefined);
        lag.reset();
        block.reset();
        if (state === undefined) return;
        block.set(state.syncedBlock);
        if (state.syncedTime !== null) lag.set((Date.now() - state.syncedTime.getTime()) / 1_000);
      },
    });
    const block = new Gauge({
      name: 'delegation_synced_block',
      help: 'The last block that the answers know',
      registers: [registry],
    });
  }
}
